import type pg from 'pg';
import { BackupProblem } from '../backup-problem.js';
import type { Manifest } from './manifest.js';

const IS_THERE = `select to_regclass('schema_migrations') is not null and to_regclass('application_settings') is not null as "isThere"`;

/** The moment of the first start: it never changes, and comes along with a restore. */
const MARK = 'select extract(epoch from created_at)::text as mark from application_settings';

/** Returns the mark of the installation; undefined if it has lost its settings. @throws BackupProblem if the database is not of the product */
export async function installationOn(client: pg.Client): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ isThere: boolean }>(IS_THERE);
  if (tables[0]?.isThere !== true)
    throw new BackupProblem(
      'The database holds no Forgeplane, so there is nothing to back up: is DATABASE_URL, or DATA_DIR, that of the service?',
    );
  const { rows } = await client.query<{ mark: string }>(MARK);
  return rows[0]?.mark;
}

/** Whether a backup is known to be of another installation. */
export const isForeign = (manifest: Manifest, installation: string | undefined): boolean =>
  manifest.installation !== undefined && installation !== undefined && manifest.installation !== installation;
