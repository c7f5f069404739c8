import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { DeleteDueEnvironmentsJob } from './delete-due-environments.job.js';
import { EnvironmentCleanUpService } from './environment-clean-up.service.js';
import { EnvironmentsService } from '../environments.service.js';

/** Removes them one by one, each in its own transaction. */
@Injectable()
export class DeleteDueEnvironmentsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = DeleteDueEnvironmentsJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly environments: EnvironmentsService,
    private readonly cleanUp: EnvironmentCleanUpService,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    while (await this.removeOne()) signal.throwIfAborted();
  }

  private removeOne(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const environment = await this.cleanUp.lockDue(tx);
      if (environment) await this.environments.remove(tx, environment);
      return environment !== null;
    });
  }
}
