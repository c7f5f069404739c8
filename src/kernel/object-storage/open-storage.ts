import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#kernel/config/config.js';
import { DiskStorage } from './disk-storage.js';
import type { ObjectStorage } from './object-storage.js';
import { parseS3Location } from './s3-location.js';

/**
 * Opens the store that OBJECT_STORE_URL names, or by default a folder of DATA_DIR; `asGuest` creates and removes nothing in
 * that folder.
 */
export async function openObjectStorage(config: Config, { asGuest = false } = {}): Promise<ObjectStorage> {
  const url = config.OBJECT_STORE_URL;
  if (url?.startsWith('s3:')) {
    const { S3Storage } = await import('./s3-storage.js');
    return S3Storage.open(parseS3Location(config));
  }
  const folder = objectFolder(config);
  return asGuest ? new DiskStorage(folder) : DiskStorage.open(folder);
}

/** Returns the folder of a local store. */
export function objectFolder({ OBJECT_STORE_URL: url, DATA_DIR }: Config): string {
  return url === undefined ? join(DATA_DIR, 'objects') : fileURLToPath(url);
}
