import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Links } from '#kernel/http/links.js';
import { presentUserIn, UserBasicRecord, type PrefixedUser } from '#core/users/records/user-basic.record.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** An emoji awarded to a noteable or to a note on it (`planning.md` 5.7). */
export class AwardEmojiRecord {
  @Id()
  id!: number;

  @Text({ example: 'thumbsup' })
  name!: string;

  @Nested(() => UserBasicRecord)
  user!: UserBasicRecord;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @Id()
  awardable_id!: number;

  @Text({ example: 'Issue' })
  awardable_type!: string;

  @Text({ nullable: true, description: 'Always null: there are no custom emoji' })
  url!: null;
}

/** Row of an emoji. */
export interface AwardEmojiRow extends PrefixedUser<'user_', number> {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly awardable_id: number;
  readonly awardable_type: string;
}

/** Select list of an `AwardEmojiRow`, of the aliases `e` and `u` (its user). */
export const AWARD_EMOJI_COLUMNS = `e.id, e.name, ${isoTimeSql('e.created_at')} as created_at, ${isoTimeSql('e.updated_at')} as updated_at,
  e.awardable_id, e.awardable_type, ${userColumns('u', 'user_')}`;

/** Presents an emoji. */
export function presentAwardEmoji(row: AwardEmojiRow, links: Links): AwardEmojiRecord {
  return {
    id: row.id,
    name: row.name,
    user: presentUserIn(row, 'user_', links),
    created_at: row.created_at,
    updated_at: row.updated_at,
    awardable_id: row.awardable_id,
    awardable_type: row.awardable_type,
    url: null,
  };
}
