import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { HeadFollowingService } from '../effects/head-following.service.js';
import type { OpenRepository } from '../repositories.service.js';
import { MeasureRepositoryJob } from './measure-repository.job.js';
import { RepositoryMeasuringService } from './repository-measuring.service.js';
import { RepositoryUpkeepService } from './repository-upkeep.service.js';

/** Maintains a repository, and stores its size, commits and languages. */
@Injectable()
export class MeasureRepositoryProcessor extends JobProcessor<Readonly<{ repositoryId: number }>> {
  readonly job = MeasureRepositoryJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly measuring: RepositoryMeasuringService,
    private readonly heads: HeadFollowingService,
    private readonly upkeep: RepositoryUpkeepService,
  ) {
    super();
  }

  async process({ repositoryId }: Readonly<{ repositoryId: number }>, { signal }: JobContext): Promise<void> {
    const repository = await this.measuring.find(repositoryId);
    if (!repository) return;
    try {
      await this.maintain(repository, signal);
    } catch (error) {
      // One that is removed in the meantime needs no measurements.
      if (await this.measuring.exists(repositoryId)) throw error;
    }
  }

  private async maintain(repository: OpenRepository, signal: AbortSignal): Promise<void> {
    // A process that changed the default branch may have crashed before it updated HEAD.
    await this.heads.follow(repository);
    // First measure for the records: maintenance may take minutes.
    if (!(await this.measure(repository))) return;
    await this.upkeep.tidy(repository, signal);
    const tidied = await this.measuring.find(repository.id);
    if (tidied) await this.measure(tidied);
  }

  /** Stores the measurements; returns whether the repository needs maintenance. */
  private async measure(repository: OpenRepository): Promise<boolean> {
    const measured = await this.measuring.measure(repository);
    await this.transactions.run((tx) => this.measuring.store(tx, measured));
    return measured.isUntidy;
  }
}
