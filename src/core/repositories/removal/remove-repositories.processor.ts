import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { OWNER_TABLES, relativePath } from '../repository-ref.js';
import { Storages } from '../storages.js';
import { RemoveRepositories, type RemovedOwner } from './remove-repositories.job.js';

/** Removes an owner's folders from every storage: a move may have left copies on any. Repeatable at every point. */
@Injectable()
export class RemoveRepositoriesProcessor extends JobProcessor<RemovedOwner> {
  readonly job = RemoveRepositories;
  private readonly logger = new Logger(RemoveRepositoriesProcessor.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly storages: Storages,
  ) {
    super();
  }

  async process({ ownerType, ownerId }: RemovedOwner, { signal }: JobContext): Promise<void> {
    const owner = await this.database.one(`select 1 from ${OWNER_TABLES[ownerType]} where id = $1`, [
      ownerId,
    ]);
    if (owner) throw new Error(`${ownerType} ${ownerId} still exists: its repositories stay`);
    const path = relativePath({ ownerType, ownerId, kind: 'code' });
    for (const storage of this.storages.names) {
      signal.throwIfAborted();
      await this.clear(join(this.storages.folder(storage), dirname(path)), basename(path, 'git'));
    }
  }

  /** Code, wiki and unfinished copies of them begin with the digest of the owner. */
  private async clear(folder: string, prefix: string): Promise<void> {
    for (const name of await entries(folder)) {
      if (!name.startsWith(prefix)) continue;
      // Out of the way in one step: a process that still works there finds nothing any more, and no half repository is read.
      const trash = join(folder, `${prefix}${randomUUID()}.removed`);
      await rename(join(folder, name), trash);
      await rm(trash, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      this.logger.log(`Removed ${name}`);
    }
  }
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
