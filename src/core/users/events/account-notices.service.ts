import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { AccountNotice, type News } from './account-notice.event.js';

/** Recipient in a row of a statement that marks rows as notified. */
export interface Told {
  readonly readers: readonly number[];
}

/** A notice of a row, with its recipient. */
interface ToldNews extends Told {
  readonly news: News;
}

/** Owners, projects or groups per transaction. */
export const NEWS_BATCH = 100;

/** Publishes notices that users have not received yet. */
@Injectable()
export class AccountNoticesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Publishes each notice once: `take` marks a batch of rows as notified within the transaction and returns
   * their notices; empty if nothing is left.
   */
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
