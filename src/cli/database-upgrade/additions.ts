import type pg from 'pg';

const NAMES = `with own as (select oid, relname as name, relkind as kind from pg_class c where relnamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
  select 'database ' || datname as name from pg_database
  union select 'role ' || rolname from pg_roles where rolname !~ '^pg_'
  union select 'schema ' || nspname from pg_namespace where nspname !~ '^pg_'
  union select 'extension ' || extname from pg_extension
  union select 'view ' || name from own where kind in ('v', 'm')
  union select 'foreign table ' || name from own where kind = 'f'
  union select 'partitioned table ' || name from own where kind = 'p'
  union select 'index ' || name from own where kind = 'i'
  union select 'trigger ' || t.tgname || ' of ' || own.name from pg_trigger t join own on own.oid = t.tgrelid where not t.tgisinternal
  union select 'function ' || p.oid::regprocedure from pg_proc p where pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union select 'setting ' || name from pg_file_settings where sourcefile like '%postgresql.auto.conf'
  union select 'setting ' || unnest(setconfig) from pg_db_role_setting
  order by 1`;

/** Returns what operators added to the source: everything that the target lacks, except tables. */
export async function additionsOf(source: pg.Client, target: pg.Client): Promise<string[]> {
  const [there, here] = await Promise.all([namesIn(source), namesIn(target)]);
  const made = new Set(here);
  return there.filter((name) => !made.has(name));
}

async function namesIn(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(NAMES);
  return rows.map(({ name }) => name);
}
