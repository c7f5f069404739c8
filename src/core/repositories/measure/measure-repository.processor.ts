import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { HeadFollowing } from '../effects/head-following.js';
import { MeasureRepositoryJob } from './measure-repository.job.js';
import { RepositoryMeasuring } from './repository-measuring.js';
import { RepositoryUpkeep } from './repository-upkeep.js';

/** Tidies a repository and stores what it has become: size, commits, languages. */
@Injectable()
export class MeasureRepositoryProcessor extends JobProcessor<Readonly<{ repositoryId: number }>> {
  readonly job = MeasureRepositoryJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly measuring: RepositoryMeasuring,
    private readonly heads: HeadFollowing,
    private readonly upkeep: RepositoryUpkeep,
  ) {
    super();
  }

  async process({ repositoryId }: Readonly<{ repositoryId: number }>, { signal }: JobContext): Promise<void> {
    const repository = await this.measuring.find(repositoryId);
    if (!repository) return;
    // Whoever changed the default branch may have been lost before HEAD followed.
    await this.heads.follow(repository);
    // First what records show: tidying may take minutes.
    const measured = await this.measuring.measure(repository);
    await this.transactions.run((tx) => this.measuring.store(tx, measured));
    if (measured.isUntidy) await this.upkeep.tidy(repository, signal);
  }
}
