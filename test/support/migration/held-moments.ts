import pg from 'pg';
import type { Installation } from '../installation.js';

/** When a run of a relation is held: before a write is committed, or after all are, before the relation ends. */
export type Moment = 'amid' | 'end';

/** An arbitrary lock number of these tests. */
const CLASS = 481_516;

const TRIGGER = `
  create function hold_moment() returns trigger language plpgsql as $$
  declare moment text := case when new.status in ('finished', 'skipped') then 'end' when new.imported_count > old.imported_count then 'amid' end;
  begin
    if old.status = 'started' and moment is not null then
      perform pg_advisory_xact_lock_shared(${CLASS}, hashtext(concat_ws(' ',
        (select source_type from bulk_import_entities where id = new.entity_id), new.relation, moment)));
    end if;
    return null;
  end $$;
  create trigger hold_moment after update on bulk_import_relations for each row execute function hold_moment()`;

const WAITING = `select key from unnest($1::text[]) as key join pg_locks l on l.locktype = 'advisory' and not l.granted
  and l.classid::bigint = ${CLASS} and l.objid = hashtext(key)::oid
  and l.database = (select oid from pg_database where datname = current_database()) group by key order by key`;

/**
 * Moments of relations, such as `group_entity labels amid`, at each of which runs pause until it is released.
 */
export class HeldMoments {
  private readonly held = new Set<string>();

  private constructor(private readonly client: pg.Client) {}

  static async hold(
    installation: Installation,
    relations: readonly string[],
    moment: Moment,
  ): Promise<HeldMoments> {
    const client = new pg.Client({ connectionString: installation.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(TRIGGER);
    const moments = new HeldMoments(client);
    for (const relation of relations) {
      const key = `${relation} ${moment}`;
      await client.query('select pg_advisory_lock($1, hashtext($2))', [CLASS, key]);
      moments.held.add(key);
    }
    return moments;
  }

  /** The moments at which a run is paused. */
  async waiting(): Promise<string[]> {
    const { rows } = await this.client.query<{ key: string }>(WAITING, [[...this.held]]);
    return rows.map(({ key }) => key);
  }

  /** Releases all of them. */
  async release(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.client.query('select pg_advisory_unlock($1, hashtext($2))', [CLASS, key]);
      this.held.delete(key);
    }
  }

  /** The moments that no run has reached. */
  get left(): string[] {
    return [...this.held].sort();
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
