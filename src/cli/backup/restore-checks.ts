import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '#kernel/config/config.js';
import { RELEASE } from '#kernel/config/release.js';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { hasSecretsKey } from '#kernel/crypto/secrets-key.js';
import { unknownMigrations } from '#kernel/database/copy/make-schema.js';
import { PROBES } from '#kernel/object-storage/object-storage.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { withoutUser } from '#features/backups/backup-target.js';
import type { Manifest } from '#features/backups/manifest/manifest.js';
import { CommandError } from '../framework/output.js';

/**
 * Data encrypted with a key that is not configured here could never be read again. A missing key is not made: it would stand in the way of
 * the right one. @throws CommandError
 */
export function requireKeys({ secretsKeys }: Manifest, config: Config): void {
  const fingerprints = hasSecretsKey(config) ? new SecretBox(config).fingerprints : [];
  if (secretsKeys.some((one) => !fingerprints.includes(one)))
    throw new CommandError(
      'SECRETS_KEY is not the one that the secrets of the backup are sealed with: give it as it was (or DATA_DIR/secrets.key)',
    );
}

/** @throws CommandError if this release does not know the schema of the backup */
export async function requireKnownMigrations({ migrations, release }: Manifest): Promise<void> {
  const unknown = await unknownMigrations(migrations);
  if (unknown.length === 0) return;
  // After a downgrade, an older release may have made the backup on the schema of a newer one.
  const advice =
    release === RELEASE
      ? 'The backup has the schema of a later release than this one, which made it: restore it with that later one'
      : `The backup is of release ${release}: restore it with that one`;
  throw new CommandError(`${advice} (${unknown.join(', ')})`);
}

/** Where a restore puts what is not in the database, in words: a restore continues only with the same destinations. */
export function destinationsOf({ storages, objects }: Manifest, config: Config): Record<string, string> {
  const destinations: Record<string, string> = {};
  for (const name of storages) destinations[`folder of the storage ${name}`] = folderOf(name, config);
  if (objects.length > 0)
    destinations['object store'] = withoutUser(
      config.OBJECT_STORE_URL ?? resolve(join(config.DATA_DIR, 'objects')),
    );
  return destinations;
}

function folderOf(name: string, config: Config): string {
  const folder = config.repositoryStorages.get(name);
  if (folder === undefined)
    throw new CommandError(
      `The backup has repositories on the storage ${name}: name it in REPOSITORY_STORAGES`,
    );
  return folder;
}

/** @throws CommandError if a storage of the backup is not configured, or holds anything besides what `isOwn` */
export async function requireEmptyStorages(
  { storages }: Manifest,
  config: Config,
  isOwn: (name: string) => boolean = () => false,
): Promise<void> {
  for (const name of storages) {
    const folder = folderOf(name, config);
    const found = await readdir(folder).catch(() => []);
    if (!found.every(isOwn))
      throw new CommandError(`${folder}, the folder of the storage ${name}, is not empty`);
  }
}

/** @throws CommandError if the backup has objects and the object store is not empty */
export async function requireNoObjects({ objects }: Manifest, config: Config): Promise<void> {
  if (objects.length === 0) return;
  for await (const { key } of (await openObjectStorage(config)).list())
    if (!key.startsWith(PROBES)) throw new CommandError(`The object store is not empty: it holds ${key}`);
}
