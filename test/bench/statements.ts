import type pg from 'pg';

/** Settings that the server must be started with, for its statements to be counted. */
export const COUNTING = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  'pg_stat_statements.track_utility': 'off',
};

/** One statement, per request. */
export interface StatementCost {
  readonly text: string;
  readonly calls: number;
  /** Milliseconds of planning and of running; a prepared statement is planned only at its first uses. */
  readonly planMs: number;
  readonly runMs: number;
}

/** Counts the statements of a server that was started with `COUNTING`. */
export class Statements {
  constructor(private readonly client: pg.Client) {}

  async begin(): Promise<void> {
    await this.client.query('create extension if not exists pg_stat_statements');
    await this.client.query('select pg_stat_statements_reset()');
  }

  /** Statements that most of the `requests` since then have run: the rest is background work. */
  async end(requests: number): Promise<StatementCost[]> {
    const { rows } = await this.client.query<StatementCost>(
      `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::float8 / $1 as calls,
         total_plan_time / calls as "planMs", total_exec_time / calls as "runMs"
       from pg_stat_statements(true) where calls >= $1 * 0.3 order by total_plan_time + total_exec_time desc`,
      [requests],
    );
    return rows;
  }
}
