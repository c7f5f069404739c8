import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#kernel/database/data-source.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { migrate } from '#kernel/database/migrate.js';
import { createEmptyDatabase, type TestDatabase } from '../../../support/database.js';

const SCHEMA = `
  select 'column' as kind, table_name || '.' || column_name as name, data_type || coalesce(column_default, '') || is_nullable as what
    from information_schema.columns where table_schema = 'public'
  union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and conrelid <> 0
  union all select 'options', relname, array_to_string(array(select unnest(reloptions) order by 1), ' ') from pg_class
    where relnamespace = 'public'::regnamespace and reloptions is not null and relkind = 'r'
  union all select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function', proname, prosrc from pg_proc p where pronamespace = 'public'::regnamespace and not exists (
    select 1 from pg_depend where objid = p.oid and deptype = 'e')
  order by 1, 2, 3`;

describe('the migrations', () => {
  let database: TestDatabase;
  let source: DataSource;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    source = await new DataSource(
      await dataSourceOptions(DatabaseAddress.direct(database.url), 2),
    ).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  const schema = (): Promise<object[]> => source.query<object[]>(SCHEMA);
  const applied = (): Promise<{ name: string }[]> =>
    source.query<{ name: string }[]>('select name from schema_migrations order by id');

  it('can be reverted one by one and run again, with the same schema', async () => {
    await migrate(database.url);
    const made = await schema();
    expect(made.length).toBeGreaterThan(1_000);
    const names = await applied();
    for (let left = names.length; left > 0; left -= 1)
      await source.undoLastMigration({ transaction: 'each' });
    const remains = (await schema()).filter((one) => !JSON.stringify(one).includes('schema_migrations'));
    expect(remains).toEqual([]);
    await migrate(database.url);
    expect(await schema()).toEqual(made);
    expect(await applied()).toEqual(names);
  });

  it('continue from the last schema before the first release, but from no other', async () => {
    const current = await schema();
    const before = (name: string): Promise<unknown> =>
      source.query(
        `with gone as (delete from schema_migrations where name like 'FirstSchema%')
         insert into schema_migrations (timestamp, name) values (1760000002900, $1)`,
        [name],
      );
    await before('HiddenCounters1760000002900');
    await expect(migrate(database.url)).rejects.toThrow(/unreleased version.*start commit ebe031a0/);
    expect(await schema()).toEqual(current);
    await before('NumberedThings1760000002935');
    expect(await migrate(database.url)).toContain('FirstSchema1760000000001');
    expect((await applied()).map(({ name }) => name)).not.toContain('NumberedThings1760000002935');
    expect(await schema()).toEqual(current);
  });
});
