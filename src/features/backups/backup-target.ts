import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { isBackupTarget } from '#kernel/config/config-values.js';
import { DiskStorage } from '#kernel/object-storage/disk-storage.js';
import type { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { parseS3Location } from '#kernel/object-storage/s3-location.js';
import { requireS3Packages } from '#kernel/object-storage/s3-packages.js';
import { BackupProblem } from './backup-problem.js';
import type { Backups } from './backups.js';

const URL_OF_BUCKET = /^s3:\/\//;

/** Removes name and password from a URL. */
export const withoutUser = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');

/** Names a target in the same way wherever a command is run: without passwords, and folders from the root. */
export const nameOfTarget = (target: string): string =>
  URL_OF_BUCKET.test(target) ? withoutUser(target) : folderOf(target);

/** Opens the target of backups: a folder, or `s3://bucket/prefix?...` in the syntax of OBJECT_STORE_URL. Writes nothing there. */
export async function openTarget(target: string, config: Config): Promise<ObjectStorage> {
  if (!isBackupTarget(target))
    throw new BackupProblem(
      `${withoutUser(target)} is not a target of backups: it must be a folder, or s3://bucket/prefix`,
    );
  if (!URL_OF_BUCKET.test(target)) return new DiskStorage(folderOf(target));
  requireS3Packages();
  const { S3Storage } = await import('#kernel/object-storage/s3-storage.js');
  return S3Storage.open(
    parseS3Location({
      OBJECT_STORE_URL: target,
      OBJECT_STORE_ACCESS_KEY_ID: config.OBJECT_STORE_ACCESS_KEY_ID,
      OBJECT_STORE_SECRET_ACCESS_KEY: config.OBJECT_STORE_SECRET_ACCESS_KEY,
    } as Config),
  );
}

/** Removes what killed backups have left, where the store lets it. */
export async function removeLeftOvers(storage: ObjectStorage): Promise<void> {
  await storage.removeStale().catch((error: unknown) => {
    if (storage instanceof DiskStorage) throw error;
  });
}

// A column of later schemas is null on earlier ones.
const RUNS = `select name, to_jsonb(r) ->> 'target' as target from backup_runs r order by started_at desc`;

/**
 * Checks that a folder in which backups were made still contains a backup, of any name.
 * @throws BackupProblem if it does not: its disk is probably not mounted
 */
export async function requireMounted(client: pg.Client, backups: Backups, target: string): Promise<void> {
  if (URL_OF_BUCKET.test(target)) return;
  const named = nameOfTarget(target);
  const { rows } = await client.query<{ name: string; target: string | null }>(RUNS);
  const last = rows.find((run) => run.target === named);
  if (last === undefined) return;
  for (const { name } of rows) if (await backups.isComplete(name)) return;
  throw new BackupProblem(
    `${named} holds none of the backups that were made there, of which ${last.name} was the last: mount its disk. If they were removed or moved on purpose, make the first new one by hand with --new-target`,
  );
}

const folderOf = (target: string): string =>
  resolve(target.startsWith('file://') ? fileURLToPath(target) : target);
