import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { SubscriptionsService } from '#core/subscriptions/subscriptions.service.js';

/** What the key of a mail leads to. */
export interface UnsubscribeTarget {
  readonly userId: number;
  readonly type: 'Issue' | 'MergeRequest' | 'Epic';
  readonly id: number;
}

const FIND = `select user_id as "userId", target_type as type, target_id as id from sent_notifications
  where unsubscribe_key = $1 and target_type in ('Issue', 'MergeRequest', 'Epic')`;

/** What readers of mails do by the links in them: the key of a mail is known to its reader alone. */
@Injectable()
export class MailLinksService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /** Who would hear no more of what; null for a key that leads nowhere. */
  find(key: string): Promise<UnsubscribeTarget | null> {
    return this.database.one<UnsubscribeTarget>(FIND, [key]);
  }

  /** Tells the reader no more of the thing, unless they are mentioned; saying so twice does no harm. */
  async unsubscribe({ userId, type, id }: UnsubscribeTarget): Promise<void> {
    await this.transactions.run((tx) => this.subscriptions.unsubscribe(tx, userId, { type, id }));
  }
}
