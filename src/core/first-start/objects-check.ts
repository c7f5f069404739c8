import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { StartProblem } from '#kernel/config/start-problem.js';
import { quoted } from '#kernel/database/copy/tables.js';
import { withClient } from '#kernel/database/with-client.js';
import { logger } from '#kernel/log/logger.js';
import { objectTables } from '#kernel/object-storage/claims/object-tables.js';
import { ACCEPTED, holdsObjects } from '#kernel/object-storage/object-home.js';
import { objectFolder } from '#kernel/object-storage/open-storage.js';

/**
 * Checks that the local object storage is not empty while the database names objects: its disk is not mounted, or it was
 * not restored. All objects would be missing, and new ones would be hidden once the disk is mounted. Below DATA_DIR this is
 * only logged: processes without a common object storage each have a folder of their own there, which may still be empty.
 * @throws StartProblem that says what to do
 */
export async function checkObjects(config: Config, url: string): Promise<void> {
  if (config.OBJECT_STORE_URL?.startsWith('s3:')) return;
  const folder = objectFolder(config);
  if (await holdsObjects(folder)) return;
  const named = await withClient(
    { connectionString: url, application_name: 'forgeplane-objects' },
    namedObject,
  );
  if (named === null) return;
  const problem =
    `${config.OBJECT_STORE_URL === undefined ? 'DATA_DIR' : 'OBJECT_STORE_URL'}: ${folder} holds no objects, but the database names some, such as ${named}: ` +
    `mount its disk, or restore it from a backup. If they are lost for good, create the file ${join(folder, ACCEPTED)}.`;
  if (config.OBJECT_STORE_URL !== undefined) throw new StartProblem(problem);
  logger.error(problem);
}

async function namedObject(client: pg.Client): Promise<string | null> {
  for (const table of await objectTables(client)) {
    const { rows } = await client.query<{ key: string }>(
      `select object_key as key from ${quoted(table)} limit 1`,
    );
    if (rows[0]) return rows[0].key;
  }
  return null;
}
