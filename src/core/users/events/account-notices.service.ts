import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { processApart, type RowsInBatches } from '#kernel/queue/rows-apart.js';
import { AccountNotice, type NoticeContent } from './account-notice.event.js';

/** Recipient in a row of a statement that marks rows as notified. */
export interface Told {
  readonly readers: readonly number[];
}

/** A notice of a row, with its recipient. */
interface ToldNotice extends Told {
  readonly content: NoticeContent;
}

/** Owners, projects or groups per transaction. */
export const NEWS_BATCH = 100;

/** Rows whose recipients must be notified, by their owners, projects or groups. */
export interface UntoldRows<Key> extends Pick<RowsInBatches<Key>, 'what' | 'next'> {
  /** Marks the rows of some owners, projects or groups as notified, and returns their notices. */
  readonly take: (tx: Tx, keys: readonly Key[]) => Promise<readonly ToldNotice[]>;
}

/** Publishes notices that users have not received yet. */
@Injectable()
export class AccountNoticesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
  ) {}

  /** Publishes each notice once, in the transaction that marks its rows as notified. */
  tellAll<Key>({ what, next, take }: UntoldRows<Key>, signal: AbortSignal): Promise<void> {
    const process = async (tx: Tx, keys: readonly Key[]): Promise<void> => {
      for (const { readers, content } of await take(tx, keys))
        for (const userId of readers) await this.events.publish(tx, new AccountNotice(userId, content));
    };
    return processApart(this.transactions, { what, next, process }, signal);
  }
}
