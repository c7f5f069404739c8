import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import type { CopyJournal } from '#kernel/database/copy/copy-journal.js';
import type { CopyProgress } from '#kernel/database/copy/load-tables.js';
import { makeFolder } from '#kernel/disk/durable.js';
import { readOwner } from '#core/repositories/storages/bare-repository.js';
import { createRepository, removeUnnamed } from '#core/repositories/storages/create-repository.js';
import { readStorageFile, writeStorageFile } from '#core/repositories/storages/storage-file.js';
import { CommandError } from '../framework/output.js';
import { expectedRepositories, type ExpectedRepository } from '#core/repositories/expected-repositories.js';
import type { Backups } from '#features/backups/backups.js';
import type { Manifest, RepositoryEntry } from '#features/backups/manifest/manifest.js';
import { requireComplete, takePack, writeRefs } from '#features/backups/repository-packs.js';

const HEADS = 'refs/heads/';

/** A repository whose folder can be marked as its own. */
export interface IdentifiedRepository extends ExpectedRepository {
  readonly identity: string;
}

interface Mark {
  readonly name: string;
  readonly folder: string;
  readonly identity: string;
}

/** Marks the roots of the storages with the identities stored in the database. */
export async function markStorages(client: pg.Client, config: Config): Promise<void> {
  for (const { folder, identity } of await marksOf(client, config)) {
    await makeFolder(folder);
    if ((await readStorageFile(folder)) === null) await writeStorageFile(folder, identity);
  }
}

/** `which` ends the name of a storage in the problem. @throws CommandError if the folder of a storage is not, or no longer, on its disk */
export async function requireMarks(
  client: pg.Client,
  storages: readonly string[],
  config: Config,
  which = '',
): Promise<void> {
  for (const { name, folder, identity } of await marksOf(client, config))
    if (storages.includes(name) && (await readStorageFile(folder)) !== identity)
      throw new CommandError(`${folder} is not the storage ${name}${which}: mount that one`);
}

async function marksOf(client: pg.Client, { repositoryStorages }: Config): Promise<Mark[]> {
  const { rows } = await client.query<{ name: string; identity: string }>(
    'select name, identity from repository_storages where adopted_at is not null',
  );
  return rows.flatMap(({ name, identity }) => {
    const folder = repositoryStorages.get(name);
    return folder === undefined ? [] : [{ name, folder, identity }];
  });
}

/** Restores the repositories in the database that the journal does not name. Returns their number. */
export async function restoreRepositories(
  client: pg.Client,
  journal: CopyJournal,
  { repositories, storages }: Manifest,
  backups: Backups,
  { repositoryStorages }: Config,
  { onPhase, onStep }: CopyProgress,
): Promise<number> {
  const entries = new Map(repositories.map((one) => [one.id, one]));
  let restored = 0;
  onPhase('repositories', repositories.length);
  for await (const expected of expectedRepositories(client)) {
    const entry = entries.get(expected.id);
    if (!entry) continue;
    await journal.once(`repository ${expected.id}`, async () => {
      const { storage, path } = expected;
      const folder = storage === null ? undefined : repositoryStorages.get(storage);
      // Only the storages that the manifest names were empty.
      if (storage === null || folder === undefined || !storages.includes(storage))
        throw new CommandError(`The backup does not name the storage of ${expected.label}`);
      const own = await identified(client, expected);
      await removeUnfinished(join(folder, path), own.identity);
      await restoreRepository(own, folder, entry, backups);
      restored += 1;
    });
    onStep();
  }
  return restored;
}

/** Removes what an interrupted restore has left of a repository, and nothing else. */
async function removeUnfinished(path: string, identity: string): Promise<void> {
  if ((await readOwner(path).catch(() => null)) === identity)
    // Git, whose process outlives ours for a moment, may still write.
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  await removeUnnamed(path);
}

/** Repositories of old installations get their identities from the running service, which had not come to this one. */
async function identified(client: pg.Client, expected: ExpectedRepository): Promise<IdentifiedRepository> {
  const identity = expected.identity ?? randomUUID();
  if (expected.identity === null)
    await client.query('update repositories set identity = $2 where id = $1', [expected.id, identity]);
  return { ...expected, identity };
}

/** Restores a repository; a folder that occupies its path is set aside once everything else is done, and `assertUnmoved` agrees. */
export async function restoreRepository(
  expected: IdentifiedRepository,
  folder: string,
  entry: RepositoryEntry,
  backups: Backups,
  assertUnmoved?: () => Promise<void>,
): Promise<void> {
  const path = join(folder, expected.path);
  const branch = entry.head.startsWith(HEADS) ? entry.head.slice(HEADS.length) : 'main';
  const fill = async (fresh: string): Promise<void> => {
    for (const pack of entry.packs) await backups.read(pack, (content) => takePack(fresh, content));
    await writeRefs(fresh, entry);
    await requireComplete(fresh);
    await assertUnmoved?.();
  };
  await createRepository({ folder, path, identity: expected.identity, branch, owner: expected.ref, fill });
}
