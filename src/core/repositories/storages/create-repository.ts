import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { RepositoryRef } from '../repository-ref.js';
import { makeBareRepository } from './bare-repository.js';
import { flush, flushTree, makeFolder } from '#kernel/disk/durable.js';
import { clearPath } from './set-aside.js';

const logger = new Logger('RepositoryStorages');

/** Retries if something else appears at the path. */
const ATTEMPTS = 5;

const IS_TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/** Suffix of repositories that have not got their names yet. */
const UNNAMED = '.new';

/** A repository to create. */
export interface NewRepository {
  /** Folder of the storage. */
  readonly folder: string;
  readonly path: string;
  readonly identity: string;
  /** The branch of HEAD; a valid name. */
  readonly branch: string;
  /** Its owner, for the name of what has to be set aside. */
  readonly owner: RepositoryRef;
  /** Fills it, at a path that is not its own yet; without it the repository is empty. */
  readonly fill?: (path: string) => Promise<void>;
}

/**
 * Creates a bare repository: complete and durable before it gets its name. Anything at its path is set aside.
 */
export async function createRepository({
  folder,
  path,
  identity,
  branch,
  owner,
  fill,
}: NewRepository): Promise<void> {
  const fresh = `${path}.${randomUUID()}${UNNAMED}`;
  await makeFolder(dirname(path));
  try {
    await makeBareRepository(fresh, identity);
    await writeFile(join(fresh, 'HEAD'), `ref: refs/heads/${branch}\n`);
    await fill?.(fresh);
    await flushTree(fresh);
    for (let attempt = 1; ; attempt += 1) {
      const kept = await clearPath(folder, path, owner);
      if (kept !== null) logger.warn(`${path} was occupied by something unknown, which is kept at ${kept}`);
      try {
        await rename(fresh, path);
        break;
      } catch (error) {
        const isTaken = IS_TAKEN.has((error as NodeJS.ErrnoException).code ?? '');
        if (!isTaken || attempt === ATTEMPTS) throw error;
      }
    }
    await flush(dirname(path));
  } catch (error) {
    // Git, whose process outlives its failure for a moment, may still write.
    await rm(fresh, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

/** Removes what killed processes have left of a repository that was to get this path. */
export async function removeUnnamed(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(`${basename(path)}.`) && name.endsWith(UNNAMED))
      await rm(join(folder, name), { recursive: true, force: true });
}
