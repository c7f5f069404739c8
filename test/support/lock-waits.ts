import type { TestApi } from './api.js';
import { until } from './until.js';

/** A transaction of a test. */
interface Holder {
  query<Rows>(text: string): Promise<Rows>;
}

const DUE = `select 1 from background_jobs where state in ('pending', 'handed', 'running') and run_at <= now()`;
const SOON = `select 1 from background_jobs where dedupe_key is distinct from 'schedule' and state <> 'failed'
  and run_at < now() + interval '1 minute'`;
const BLOCKED = `select 1 from pg_stat_activity where backend_type = 'client backend' and $1 = any(pg_blocking_pids(pid))`;

/** Waits until no job is due: one of an earlier test would count as a session that waits. */
export async function untilIdle(api: TestApi): Promise<void> {
  await until(async () => (await api.sql(DUE)).length === 0);
}

/** Waits until no job is due within a minute: also none that is delayed a little, or waits for another attempt. */
export async function untilQuiet(api: TestApi): Promise<void> {
  await until(async () => (await api.sql(SOON)).length === 0);
}

/**
 * Waits until `isOver`, or until so many sessions wait for what this transaction has locked. Sessions that wait for
 * each other, or for autovacuum, do not count.
 */
export async function untilBlocking(
  api: TestApi,
  holder: Holder,
  isOver: () => boolean = () => false,
  sessions = 1,
): Promise<void> {
  const [own] = await holder.query<{ pid: number }[]>('select pg_backend_pid() as pid');
  await until(async () => isOver() || (await api.sql(BLOCKED, [own?.pid])).length >= sessions);
}

/** Returns how many deadlocks the database has resolved by ending a transaction; who is ended has waited a second. */
export async function deadlocksOf(api: TestApi): Promise<number> {
  const [row] = await api.sql<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return row?.deadlocks ?? 0;
}
