import type pg from 'pg';

const OTHERS = `select distinct application_name as name from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name like 'forgeplane%' order by 1`;

/** Names of the other sessions that processes of the product have in the database of `client`; empty if none runs. */
export async function productSessions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(OTHERS);
  return rows.map(({ name }) => name);
}
