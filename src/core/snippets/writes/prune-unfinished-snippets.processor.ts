import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { PruneUnfinishedSnippetsJob } from './prune-unfinished-snippets.job.js';
import { RemoveSnippets } from './remove-snippets.use-case.js';

/** Removes them in batches. */
@Injectable()
export class PruneUnfinishedSnippetsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = PruneUnfinishedSnippetsJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly removal: RemoveSnippets,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    while ((await this.transactions.run((tx) => this.removal.removeUnfinished(tx))) > 0)
      signal.throwIfAborted();
  }
}
