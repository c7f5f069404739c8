import type pg from 'pg';

/** The moment of the first start: it never changes, and comes along with a restore. */
const MARK = 'select extract(epoch from created_at)::text as mark from application_settings';

/** Returns the mark of the installation; undefined if it has lost its settings. */
export async function installationMark(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ mark: string }>(MARK);
  return rows[0]?.mark;
}
