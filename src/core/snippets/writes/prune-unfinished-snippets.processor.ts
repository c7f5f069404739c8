import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { processApart } from '#kernel/queue/rows-apart.js';
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

  process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    const unfinished = {
      what: 'unfinished snippets',
      next: (tx: Tx, after: number | null) => this.removal.findUnfinished(tx, after),
      process: (tx: Tx, ids: readonly number[]) => this.removal.removeUnfinished(tx, ids),
    };
    return processApart(this.transactions, unfinished, signal);
  }
}
