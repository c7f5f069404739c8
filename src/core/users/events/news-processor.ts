import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { AccountNotice, type News } from './account-notice.event.js';

/** A row of a statement that notes what is told: whom it is told. */
export interface Told {
  readonly readers: readonly number[];
}

/** Owners, projects or groups of one transaction. */
export const NEWS_BATCH = 100;

/** Tells people once of what a statement finds untold, some of it at a time: with the commit that notes it. */
@Injectable()
export abstract class NewsProcessor<Row extends Told> extends JobProcessor {
  /** Notes some of what has not been told, and answers it; no rows where nothing is left. */
  protected abstract readonly note: string;

  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
  ) {
    super();
  }

  async process(_payload: object, { signal }: JobContext): Promise<void> {
    while ((await this.transactions.run((tx) => this.tellSome(tx))) > 0) signal.throwIfAborted();
  }

  protected abstract newsOf(row: Row): News;

  private async tellSome(tx: Tx): Promise<number> {
    const rows = await tx.query<Row[]>(this.note);
    for (const row of rows)
      for (const userId of row.readers)
        await this.events.publish(tx, new AccountNotice(userId, this.newsOf(row)));
    return rows.length;
  }
}
