import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { MeasureRepository } from './measure-repository.job.js';
import { RepositoryMeasuring } from './repository-measuring.js';

/** Stores how large a repository has become. */
@Injectable()
export class MeasureRepositoryProcessor extends JobProcessor<Readonly<{ repositoryId: number }>> {
  readonly job = MeasureRepository;

  constructor(
    private readonly transactions: Transactions,
    private readonly measuring: RepositoryMeasuring,
  ) {
    super();
  }

  async process({ repositoryId }: Readonly<{ repositoryId: number }>): Promise<void> {
    const measured = await this.measuring.measure(repositoryId);
    if (measured) await this.transactions.run((tx) => this.measuring.store(tx, repositoryId, measured));
  }
}
