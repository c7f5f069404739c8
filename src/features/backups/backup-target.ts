import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#kernel/config/config.js';
import { isPlaceOfBackups } from '#kernel/config/config-values.js';
import { DiskStorage } from '#kernel/object-storage/disk-storage.js';
import type { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { parseS3Location } from '#kernel/object-storage/s3-location.js';
import { requireS3Packages } from '#kernel/object-storage/s3-packages.js';
import { BackupProblem } from './backup-problem.js';

const URL_OF_BUCKET = /^s3:\/\//;

/** Removes name and password from a URL. */
export const withoutUser = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');

/** Names a target in the same way wherever a command is run: without passwords, and folders from the root. */
export const placeOf = (target: string): string =>
  URL_OF_BUCKET.test(target) ? withoutUser(target) : folderOf(target);

/** Opens the target of backups: a folder, or `s3://bucket/prefix?...` in the syntax of OBJECT_STORE_URL. Writes nothing there. */
export async function openTarget(target: string, config: Config): Promise<ObjectStorage> {
  if (!isPlaceOfBackups(target))
    throw new BackupProblem(
      `${withoutUser(target)} is no target: it must be a folder, or s3://bucket/prefix`,
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

/** The same for a backup that is to be made there: removes what killed ones have left, where the store lets it. */
export async function openTargetToWrite(target: string, config: Config): Promise<ObjectStorage> {
  const storage = await openTarget(target, config);
  await storage.removeStale().catch((error: unknown) => {
    if (storage instanceof DiskStorage) throw error;
  });
  return storage;
}

const folderOf = (target: string): string =>
  resolve(target.startsWith('file://') ? fileURLToPath(target) : target);
