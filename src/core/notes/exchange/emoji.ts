import type { Tx } from '#kernel/database/transactions.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsOf } from '#core/exchange/source-ids.js';
import { recordsIn, textIn, timeIn, integerIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { Awardable } from '../award-emoji/award-emoji.queries.js';
import { emojiName } from '../award-emoji/emoji-names.js';

/** An emoji of an imported record, awarded by a user who is known here. */
export interface ImportedEmoji {
  readonly name: string;
  readonly userId: number;
  readonly createdAt: string | null;
}

/** Emoji of one noteable or note. */
export interface EmojiItem {
  /** Id of the local noteable or note. */
  readonly id: number;
  readonly emoji: readonly ImportedEmoji[];
}

/** Vote counters in the row of a noteable. */
export interface Votes {
  readonly upvotes: number;
  readonly downvotes: number;
}

const INSERT = `insert into award_emoji (name, user_id, awardable_type, awardable_id, created_at, updated_at)
  select e.name, e.user_id, $1, e.awardable, e.at, e.at
  from (select name, user_id, awardable, coalesce(at, now()) as at from json_to_recordset($2::json) as x(name text, user_id bigint, awardable bigint, at timestamptz)) e`;

const MAX_NAME = 255;

/** SQL expression: the emoji of an object as JSON of the attribute `award_emoji`. */
export const emojiJson = (type: Awardable['type'], id: string): string =>
  `(select coalesce(json_agg(json_build_object('name', xe.name, 'user_id', xe.user_id, 'created_at', ${isoTimeSql('xe.created_at')}) order by xe.id), '[]')
    from award_emoji xe where xe.awardable_type = '${type}' and xe.awardable_id = ${id})`;

/** Returns the ids of users in `award_emoji`. */
export const emojiUserIds = (record: SourceRecord): number[] => userIdsOf(record, 'award_emoji', 'user_id');

/** Parses `award_emoji` of a record; skips emoji of users unknown here, because votes are never attributed to others. @throws RecordRefused */
export function readEmoji(record: SourceRecord, target: ImportTarget): ImportedEmoji[] {
  return recordsIn(record, 'award_emoji').flatMap((entry) => {
    const name = textIn(entry, 'name', MAX_NAME);
    const userId = target.userOf(integerIn(entry, 'user_id', 1));
    return name === null || userId === null ? [] : [{ name, userId, createdAt: timeIn(entry, 'created_at') }];
  });
}

/**
 * Inserts emoji with one statement; skips unknown and repeated ones. Returns the votes for the rows of the
 * noteables, which must be written afterwards (`drawIds`), so that no trigger counts them.
 */
export async function importEmoji(
  tx: Tx,
  type: Awardable['type'],
  items: readonly EmojiItem[],
): Promise<ReadonlyMap<number, Votes>> {
  const rows = new Map<string, { awardable: number; name: string; user_id: number; at: string | null }>();
  for (const { id, emoji } of items)
    for (const { name: given, userId, createdAt } of emoji) {
      const name = await emojiName(given);
      const key = `${id} ${userId} ${name ?? ''}`;
      if (name !== null && !rows.has(key))
        rows.set(key, { awardable: id, name, user_id: userId, at: createdAt });
    }
  if (rows.size > 0) await tx.query(INSERT, [type, JSON.stringify([...rows.values()])]);
  const votes = new Map<number, Votes>();
  for (const { awardable, name } of rows.values()) {
    const { upvotes, downvotes } = votesOf(votes, awardable);
    votes.set(awardable, {
      upvotes: upvotes + (name === 'thumbsup' ? 1 : 0),
      downvotes: downvotes + (name === 'thumbsdown' ? 1 : 0),
    });
  }
  return votes;
}

/** Returns the votes of a noteable. */
export const votesOf = (votes: ReadonlyMap<number, Votes>, id: number): Votes =>
  votes.get(id) ?? { upvotes: 0, downvotes: 0 };
