import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { keptGits } from '../git/kept/kept-gits.js';
import { OWNER_TABLES, relativePath } from '../repository-ref.js';
import { StoragesService } from '../storages.service.js';
import { readOwner } from '../storages/bare-repository.js';
import { StorageRootsService } from '../storages/storage-roots.service.js';
import { RemoveRepositoriesJob, type RemovedOwner } from './remove-repositories.job.js';

/** Retry delay while a storage is unavailable, until it returns or is no longer configured. */
const WAIT_MS = 10 * 60_000;

/** Complete repositories; all other names with the digest of an owner are unfinished. */
const IS_WHOLE = /^(\.wiki)?\.git$/;

/**
 * Removes an owner's folders from every storage, since a move may have left copies. Idempotent at every
 * point.
 */
@Injectable()
export class RemoveRepositoriesProcessor extends JobProcessor<RemovedOwner> {
  readonly job = RemoveRepositoriesJob;
  private readonly logger = new Logger(RemoveRepositoriesProcessor.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly storages: StoragesService,
    private readonly roots: StorageRootsService,
  ) {
    super();
  }

  async process(removed: RemovedOwner, context: JobContext): Promise<void> {
    const { ownerType, ownerId, identities } = removed;
    const owner = await this.database.one(`select 1 from ${OWNER_TABLES[ownerType]} where id = $1`, [
      ownerId,
    ]);
    if (owner) throw new Error(`${ownerType} ${ownerId} still exists: its repositories are kept`);
    const path = relativePath({ ownerType, ownerId, kind: 'code' });
    const away: string[] = [];
    const failures: unknown[] = [];
    for (const storage of this.storages.names) {
      context.signal.throwIfAborted();
      const problem = await this.roots.problem(storage, true);
      if (problem !== null) away.push(`${storage}: ${problem}`);
      else
        await this.clear(
          join(this.storages.folder(storage), dirname(path)),
          basename(path, '.git'),
          failures,
          identities,
        );
    }
    // The run is repeated for these; the others are gone.
    if (failures.length > 0) throw failures[0];
    if (away.length === 0) return;
    this.logger.warn(
      `Remaining repositories of ${ownerType} ${ownerId} will be removed later (${away.join('; ')})`,
    );
    await this.transactions.run(async (tx) => {
      await this.jobs.enqueue(tx, RemoveRepositoriesJob, removed, { delayMs: WAIT_MS });
      await context.complete(tx);
    });
  }

  /** Names of code, wiki and unfinished copies start with the digest of the owner. */
  private async clear(
    folder: string,
    digest: string,
    failures: unknown[],
    identities?: readonly string[],
  ): Promise<void> {
    const names = await entries(folder).catch((error: unknown) => {
      failures.push(error);
      return [];
    });
    for (const name of names) {
      if (!name.startsWith(`${digest}.`)) continue;
      if (IS_WHOLE.test(name.slice(digest.length)) && !(await isOneOf(join(folder, name), identities))) {
        this.logger.warn(`${join(folder, name)} is kept: it does not belong to the removed owner`);
        continue;
      }
      // Rename it first in one step: running processes then find nothing, and no half-removed repository is
      // read.
      const trash = join(folder, `${digest}.${randomUUID()}.removed`);
      try {
        await rename(join(folder, name), trash);
        keptGits.end(join(folder, name));
        await rm(trash, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
        this.logger.log(`Removed ${name}`);
      } catch (error) {
        failures.push(error);
      }
    }
  }
}

/** Repositories without an identity are older than identities, as are jobs without any. */
async function isOneOf(path: string, identities: readonly string[] | undefined): Promise<boolean> {
  if (identities === undefined || identities.length === 0) return true;
  const owner = await readOwner(path).catch(() => null);
  return owner === null || identities.includes(owner);
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
