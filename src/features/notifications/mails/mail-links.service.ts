import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { lockIfThere } from '#core/notes/noteables/noteable-lock.js';
import { SubscriptionsService } from '#core/subscriptions/subscriptions.service.js';

/** The user and noteable of a mail's key. */
export interface UnsubscribeTarget {
  readonly userId: number;
  readonly type: 'Issue' | 'MergeRequest' | 'Epic';
  readonly id: number;
}

const FIND = `select user_id as "userId", target_type as type, target_id as id from sent_notifications
  where unsubscribe_key = $1 and target_type in ('Issue', 'MergeRequest', 'Epic')`;

/** Actions by links in mails: only the reader knows the key of a mail. */
@Injectable()
export class MailLinksService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /** Returns the user and noteable of a key; null if the key is unknown. */
  find(key: string): Promise<UnsubscribeTarget | null> {
    return this.database.one<UnsubscribeTarget>(FIND, [key]);
  }

  /** Unsubscribes the reader, except from mentions; idempotent. Nothing is stored for a noteable that is gone. */
  async unsubscribe({ userId, type, id }: UnsubscribeTarget): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (await lockIfThere(tx, type, id)) await this.subscriptions.silence(tx, userId, { type, id });
    });
  }
}
