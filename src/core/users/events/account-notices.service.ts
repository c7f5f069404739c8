import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { AccountNotice, type News } from './account-notice.event.js';

/** A row of a statement that notes what is told: whom it is told. */
export interface Told {
  readonly readers: readonly number[];
}

/** News of one row, and whom it is told. */
interface ToldNews extends Told {
  readonly news: News;
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

  /** Tells people once of what `take` finds untold: it notes some of it with the transaction, and answers it; nothing where nothing is left. */
  async tellAll(take: (tx: Tx) => Promise<readonly ToldNews[]>, signal: AbortSignal): Promise<void> {
    while ((await this.transactions.run((tx) => this.tellSome(tx, take))) > 0) signal.throwIfAborted();
  }

  private async tellSome(tx: Tx, take: (tx: Tx) => Promise<readonly ToldNews[]>): Promise<number> {
    const told = await take(tx);
    for (const { readers, news } of told)
      for (const userId of readers) await this.events.publish(tx, new AccountNotice(userId, news));
    return told.length;
  }
}
