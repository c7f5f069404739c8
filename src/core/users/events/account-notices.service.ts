import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { AccountNotice, type News } from './account-notice.event.js';

/** A row of a statement that notes what is told: whom it is told. */
export interface Told {
  readonly readers: readonly number[];
}

/** Owners, projects or groups of one transaction. */
export const NEWS_BATCH = 100;

/** Tells people what they do not know yet about their accounts. */
@Injectable()
export class AccountNoticesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
  ) {}

  /** Tells people once of what the statement `note` finds untold: it notes some of it, answers that, and no rows where nothing is left. */
  async tellAll<Row extends Told>(
    note: string,
    newsOf: (row: Row) => News,
    signal: AbortSignal,
  ): Promise<void> {
    while ((await this.transactions.run((tx) => this.tellSome(tx, note, newsOf))) > 0)
      signal.throwIfAborted();
  }

  private async tellSome<Row extends Told>(
    tx: Tx,
    note: string,
    newsOf: (row: Row) => News,
  ): Promise<number> {
    const rows = await tx.query<Row[]>(note);
    for (const row of rows)
      for (const userId of row.readers) await this.events.publish(tx, new AccountNotice(userId, newsOf(row)));
    return rows.length;
  }
}
