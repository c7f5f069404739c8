import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RowsApart } from '#kernel/queue/rows-apart.js';
import { RepositoriesService } from '../repositories.service.js';
import { describeRepository, type RepositoryRef } from '../repository-ref.js';
import { StoragesService } from '../storages.service.js';
import { readOwner, writeOwner } from './bare-repository.js';
import { MarkRepositoriesJob } from './mark-repositories.job.js';
import { StorageRootsService } from './storage-roots.service.js';

const BATCH = 200;

const FIND = `select id, owner_type as "ownerType", owner_id as "ownerId", kind from repositories
  where identity is null and id > $1 order by id limit ${BATCH}`;

const STORE = 'update repositories set identity = $2 where id = $1 and identity is null';

interface Unmarked extends RepositoryRef {
  readonly id: number;
}

/**
 * Writes an identity into each repository without one, and into its row. Idempotent: an existing identity is
 * kept.
 */
@Injectable()
export class MarkRepositoriesProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = MarkRepositoriesJob;
  private readonly logger = new Logger('RepositoryStorages');

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly repositories: RepositoriesService,
    private readonly storages: StoragesService,
    private readonly roots: StorageRootsService,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    const apart = new RowsApart('repositories without an identity', signal);
    for (let last = 0; ;) {
      const found = await this.database.long<Unmarked>(FIND, [last]);
      for (const one of found) {
        await apart.attempt(describeRepository(one), () => this.mark(one));
      }
      last = found.at(-1)?.id ?? last;
      if (found.length < BATCH) break;
    }
    apart.end();
  }

  /** Skips repositories that are being moved or are missing until a later run. */
  private async mark(repository: Unmarked): Promise<void> {
    await this.transactions.run(async (tx) => {
      const { ownerType, ownerId } = repository;
      const owner = await this.repositories.lockOwner(tx, ownerType, ownerId, 'no key update');
      if (!owner || owner.readOnly || !this.storages.names.includes(owner.storage)) return;
      if ((await this.roots.problem(owner.storage)) !== null) return;
      const identity = await this.identify(this.storages.path(owner.storage, repository), repository);
      if (identity !== null) await tx.query(STORE, [repository.id, identity]);
    });
  }

  private async identify(path: string, repository: RepositoryRef): Promise<string | null> {
    try {
      const known = await readOwner(path);
      const identity = known ?? randomUUID();
      if (known === null) await writeOwner(path, identity);
      return identity;
    } catch (error) {
      this.logger.warn(`${describeRepository(repository)} cannot be given an identity: ${String(error)}`);
      return null;
    }
  }
}
