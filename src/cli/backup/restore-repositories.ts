import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { createRepository } from '#core/repositories/storages/create-repository.js';
import { readStorageFile, writeStorageFile } from '#core/repositories/storages/storage-file.js';
import { CommandError } from '../framework/output.js';
import { expectedRepositories, type ExpectedRepository } from '#core/repositories/expected-repositories.js';
import type { Backups } from '#features/backups/backups.js';
import type { Manifest, RepositoryEntry } from '#features/backups/manifest.js';
import { takePack, writeRefs } from '#features/backups/repository-packs.js';

const HEADS = 'refs/heads/';

/** @throws CommandError if a storage of the backup is not configured, or is not empty */
export async function requireEmptyStorages({ storages }: Manifest, config: Config): Promise<void> {
  for (const name of storages) {
    const folder = config.repositoryStorages.get(name);
    if (folder === undefined)
      throw new CommandError(
        `The backup has repositories on the storage ${name}: name it in REPOSITORY_STORAGES`,
      );
    const found = await readdir(folder).catch(() => []);
    if (found.length > 0)
      throw new CommandError(`${folder}, the folder of the storage ${name}, is not empty`);
  }
}

/** Marks the roots of the storages with the identities stored in the database. */
export async function markStorages(client: pg.Client, config: Config): Promise<void> {
  const { rows } = await client.query<{ name: string; identity: string }>(
    'select name, identity from repository_storages where adopted_at is not null',
  );
  for (const { name, identity } of rows) {
    const folder = config.repositoryStorages.get(name);
    if (folder === undefined) continue;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await readStorageFile(folder)) === null) await writeStorageFile(folder, identity);
  }
}

/** Restores all repositories in the database. */
export async function restoreRepositories(
  client: pg.Client,
  { repositories }: Manifest,
  backups: Backups,
  config: Config,
  onRepository: () => void,
): Promise<void> {
  const entries = new Map(repositories.map((one) => [one.id, one]));
  for await (const expected of expectedRepositories(client)) {
    const entry = entries.get(expected.id);
    const folder = expected.storage === null ? undefined : config.repositoryStorages.get(expected.storage);
    if (entry && folder !== undefined) await restoreRepository(expected, folder, entry, backups);
    onRepository();
  }
}

/** Restores a repository; whatever occupies its path is set aside. */
export async function restoreRepository(
  expected: ExpectedRepository,
  folder: string,
  entry: RepositoryEntry,
  backups: Backups,
): Promise<void> {
  if (expected.identity === null)
    throw new CommandError(`${expected.label} has no identity: start the service once`);
  const path = join(folder, expected.path);
  const branch = entry.head.startsWith(HEADS) ? entry.head.slice(HEADS.length) : 'main';
  await createRepository({ folder, path, identity: expected.identity, branch, owner: expected.ref });
  for (const pack of entry.packs) await backups.read(pack, (content) => takePack(path, content));
  await writeRefs(path, entry);
}
