import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RowsApart } from '#kernel/queue/rows-apart.js';
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
    const apart = new RowsApart('environments due for removal', signal);
    const after = (last: number): Promise<number[]> =>
      this.transactions.run((tx) => this.cleanUp.findDue(tx, last));
    for (let ids = await after(0); ids.length > 0; ids = await after(ids.at(-1) ?? 0))
      for (const id of ids) await apart.attempt(id, () => this.remove(id));
    apart.end();
  }

  private remove(id: number): Promise<void> {
    return this.transactions.run(async (tx) => {
      const environment = await this.cleanUp.lockDue(tx, id);
      if (environment) await this.environments.remove(tx, environment);
    });
  }
}
