import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { AWARD_EMOJI_COLUMNS, type AwardEmojiRow } from './award-emoji.record.js';

/** An object that can be awarded emoji. */
export interface Awardable {
  readonly type: 'Issue' | 'MergeRequest' | 'Snippet' | 'Epic' | 'Note';
  readonly id: number;
}

const LIST: ListShape = {
  kind: 'AwardEmoji',
  select: AWARD_EMOJI_COLUMNS,
  from: 'award_emoji e join users u on u.id = e.user_id',
  countFrom: 'award_emoji e',
  key: 'e.id',
};

const ONE = `select ${AWARD_EMOJI_COLUMNS} from ${LIST.from} where e.id = $1 and e.awardable_type = $2 and e.awardable_id = $3`;

/** Reads the emoji of noteables and notes. */
@Injectable()
export class AwardEmojiQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the emoji of a noteable or note, oldest first. */
  list({ type, id }: Awardable): ListQuery<AwardEmojiRow> {
    return new ListQuery<AwardEmojiRow>(LIST)
      .of('e.awardable_type', type, 'text')
      .where('e.awardable_id = ?', id)
      .orderBy('e.id', 'asc');
  }

  /** An emoji of the awardable. @throws 404 if it does not exist */
  async find({ type, id }: Awardable, awardId: number): Promise<AwardEmojiRow> {
    const row = await this.database.one<AwardEmojiRow>(ONE, [awardId, type, id]);
    if (!row) throw notFound('Award Emoji');
    return row;
  }
}
