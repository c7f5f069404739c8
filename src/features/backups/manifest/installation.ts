import type pg from 'pg';
import { installationMark } from '#core/instance/installation-mark.js';
import { BackupProblem } from '../backup-problem.js';
import type { Manifest } from './manifest.js';

const IS_THERE = `select to_regclass('schema_migrations') is not null and to_regclass('application_settings') is not null as "isThere"`;

/** Returns the mark of the installation; undefined if it has lost its settings. @throws BackupProblem if the database is not of the product */
export async function installationOn(client: pg.Client): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ isThere: boolean }>(IS_THERE);
  if (tables[0]?.isThere !== true)
    throw new BackupProblem(
      'The database holds no Forgeplane, so there is nothing to back up: is DATABASE_URL, or DATA_DIR, that of the service?',
    );
  return installationMark(client);
}

/** Whether a backup is known to be of another installation. */
export const isForeign = (manifest: Manifest, installation: string | undefined): boolean =>
  manifest.installation !== undefined && installation !== undefined && manifest.installation !== installation;
