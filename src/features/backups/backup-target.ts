import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#kernel/config/config.js';
import { DiskStorage } from '#kernel/object-storage/disk-storage.js';
import type { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { parseS3Location } from '#kernel/object-storage/s3-location.js';
import { requireS3Packages } from '#kernel/object-storage/s3-packages.js';

/** Opens the target of backups: a folder, or `s3://bucket/prefix?...` in the syntax of OBJECT_STORE_URL. */
export async function openTarget(target: string, config: Config): Promise<ObjectStorage> {
  if (target.startsWith('s3://')) {
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
  const folder = target.startsWith('file://') ? fileURLToPath(target) : target;
  const storage = new DiskStorage(isAbsolute(folder) ? folder : resolve(folder));
  await storage.removeStale();
  return storage;
}
