import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import type { Awardable } from './award-emoji.queries.js';
import { emojiName } from './emoji-names.js';
import type { Noteable } from '../noteables/noteable.js';
import { lockNoteable } from '../noteables/noteable-lock.js';

const GIVE = `insert into award_emoji (name, user_id, awardable_type, awardable_id) values ($1, $2, $3, $4)
  on conflict (awardable_type, awardable_id, name, user_id) do nothing returning id`;

const LOCK = `select user_id, updated_at from award_emoji where id = $1 and awardable_type = $2 and awardable_id = $3 for update`;

const LOCK_NOTE =
  'select 1 from notes where id = $1 and noteable_type = $2 and noteable_id = $3 for no key update';

/** Awards emoji to noteables and to notes on them (`planning.md` 5.7). */
@Injectable()
export class AwardEmojiService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Awards an emoji as the caller and returns its id. @throws 403; 404 if the emoji is unknown or already
   * awarded
   */
  async give(caller: UserCaller, noteable: Noteable, awardable: Awardable, given: string): Promise<number> {
    if (!noteable.mayComment) throw forbidden();
    const name = await emojiName(given);
    if (name === null) throw notFound('Award Emoji');
    const { id: userId } = caller.actor;
    return this.transactions.run(async (tx) => {
      await lockNoteable(tx, noteable.type, noteable.id);
      if (awardable.type === 'Note') {
        const notes = await tx.query<unknown[]>(LOCK_NOTE, [awardable.id, noteable.type, noteable.id]);
        if (notes.length === 0) throw notFound('Note');
      }
      const [row] = await tx.query<{ id: number }[]>(GIVE, [name, userId, awardable.type, awardable.id]);
      if (!row) throw notFound('Award Emoji');
      return row.id;
    });
  }

  /** Revokes an emoji. @throws 404; 403 if another user awarded it; 412 */
  async remove(
    caller: UserCaller,
    noteable: Noteable,
    awardable: Awardable,
    awardId: number,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    const actor = caller.actor;
    await this.transactions.run(async (tx) => {
      await lockNoteable(tx, noteable.type, noteable.id);
      const [row] = await tx.query<{ user_id: number; updated_at: Date }[]>(LOCK, [
        awardId,
        awardable.type,
        awardable.id,
      ]);
      if (!row) throw notFound('Award Emoji');
      if (row.user_id !== actor.id && !actor.admin) throw forbidden();
      unmodified(row.updated_at);
      await tx.query('delete from award_emoji where id = $1', [awardId]);
    });
  }
}
