import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { LeftOvers } from '#kernel/disk/left-overs.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RepositoriesService } from '../repositories.service.js';
import { describeRepository, type RepositoryRef } from '../repository-ref.js';
import { sweepRepository } from './left-behind.js';
import { SweepRepositoriesJob } from './sweep-repositories.job.js';

const BATCH = 500;

const FIND = `select id, owner_type as "ownerType", owner_id as "ownerId", kind from repositories
  where id > $1 order by id limit ${BATCH}`;

interface Row extends RepositoryRef {
  readonly id: number;
}

/** Sweeps all repositories that are writable now; the next run handles those being moved. */
@Injectable()
export class SweepRepositoriesProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = SweepRepositoriesJob;
  private readonly logger = new Logger('RepositoryStorages');
  private readonly leftOvers = new LeftOvers(this.logger);

  constructor(
    private readonly database: ReadDatabase,
    private readonly repositories: RepositoriesService,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    for (let last = 0; ;) {
      const found = await this.database.long<Row>(FIND, [last]);
      for (const one of found) {
        signal.throwIfAborted();
        await this.sweep(one);
      }
      last = found.at(-1)?.id ?? last;
      if (found.length < BATCH) return;
    }
  }

  /** A repository that cannot be read now does not block the others. */
  private async sweep(ref: RepositoryRef): Promise<void> {
    try {
      const repository = await this.repositories.openOrNull(ref);
      if (!repository || repository.readOnly) return;
      const removed = await sweepRepository(repository.path, this.leftOvers);
      if (removed.length > 0)
        this.logger.warn(`Removed from ${describeRepository(ref)}, left by git: ${removed.join(', ')}`);
    } catch (error) {
      this.logger.warn(`${describeRepository(ref)} cannot be swept: ${String(error)}`);
    }
  }
}
