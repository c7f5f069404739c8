import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTimeSql } from '#kernel/database/time-sql.js';
import type { Links } from '#kernel/http/links.js';
import { presentUserBasic, UserBasicRecord } from '#core/users/records/user-basic.record.js';

/** An emoji that somebody has given to a thing or to a note on it (`planning.md` 5.7). */
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

  @Text({ nullable: true, description: 'Always null: there are no emoji but those that everybody knows' })
  url!: null;
}

/** An emoji as it is read. */
export interface AwardEmojiRow {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly awardable_id: number;
  readonly awardable_type: string;
  readonly user_id: number;
  readonly user_username: string;
  readonly user_name: string;
  readonly user_state: string;
}

/** The columns of an emoji, of the aliases `e` and `u` (its user). */
export const AWARD_EMOJI_COLUMNS = `e.id, e.name, ${isoTimeSql('e.created_at')} as created_at, ${isoTimeSql('e.updated_at')} as updated_at,
  e.awardable_id, e.awardable_type, u.id as user_id, u.username as user_username, u.name as user_name, u.state as user_state`;

/** The record of an emoji. */
export function presentAwardEmoji(row: AwardEmojiRow, links: Links): AwardEmojiRecord {
  const { user_id: id, user_username: username, user_name: name, user_state: state } = row;
  return {
    id: row.id,
    name: row.name,
    user: presentUserBasic({ id, username, name, state }, links),
    created_at: row.created_at,
    updated_at: row.updated_at,
    awardable_id: row.awardable_id,
    awardable_type: row.awardable_type,
    url: null,
  };
}
