import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsOf } from '#core/exchange/source-ids.js';
import { integerIn, recordsIn, textIn, timeIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { TimedType } from '../time-tracking/time-tracking.service.js';

/** Time spent by a user; negative if it was subtracted. */
export interface ImportedTimelog {
  readonly seconds: number;
  /** Null if the user is unknown here: time is never attributed to another user. */
  readonly userId: number | null;
  readonly summary: string | null;
  readonly spentAt: string | null;
  readonly createdAt: string | null;
}

/** Timelogs of one noteable. */
export interface TimelogsItem {
  /** Id of the local noteable. */
  readonly id: number;
  readonly timelogs: readonly ImportedTimelog[];
}

const MAX_SUMMARY = 1_048_576;
/**
 * Limit of spent and estimated time: ten thousand years, so that sums of all entries of a record stay exact.
 */
export const MAX_WORK_SECONDS = 315_576_000_000;

const INSERT = `insert into timelogs (target_type, target_id, project_id, user_id, seconds, summary, spent_at, created_at)
  select $1, x.issuable, $2, x.user_id, x.seconds, x.summary, coalesce(x.spent, x.created, now()), coalesce(x.created, x.spent, now())
  from json_to_recordset($3::json) as x(issuable bigint, user_id bigint, seconds bigint, summary text, spent timestamptz, created timestamptz)`;

/** SQL expression: the time spent on a noteable as JSON of the attribute `timelogs`. */
export const timelogsJson = (type: TimedType, id: string): string =>
  `(select coalesce(json_agg(json_build_object('time_spent', xt.seconds, 'user_id', xt.user_id, 'summary', xt.summary,
      'spent_at', ${isoTimeSql('xt.spent_at')}, 'created_at', ${isoTimeSql('xt.created_at')}) order by xt.id), '[]')
    from timelogs xt where xt.target_type = '${type}' and xt.target_id = ${id})`;

/** Returns the ids of users in `timelogs`. */
export const timelogUserIds = (record: SourceRecord): number[] => userIdsOf(record, 'timelogs', 'user_id');

/** Parses `timelogs` of a record. @throws RecordRefused */
export function readTimelogs(record: SourceRecord, target: ImportTarget): ImportedTimelog[] {
  return recordsIn(record, 'timelogs').flatMap((entry) => {
    const seconds = integerIn(entry, 'time_spent', -MAX_WORK_SECONDS, MAX_WORK_SECONDS);
    if (seconds === null || seconds === 0) return [];
    return [
      {
        seconds,
        userId: target.userOf(integerIn(entry, 'user_id', 1)),
        summary: target.text(textIn(entry, 'summary', MAX_SUMMARY)),
        spentAt: timeIn(entry, 'spent_at'),
        createdAt: timeIn(entry, 'created_at'),
      },
    ];
  });
}

/** Computes `total_time_spent` from these entries. */
export const totalTimeSpent = (timelogs: readonly ImportedTimelog[]): number =>
  Math.max(
    timelogs.reduce((sum, { seconds }) => sum + seconds, 0),
    0,
  );

/** Inserts the time spent on many noteables of a project with one statement. */
export async function importTimelogs(
  tx: Tx,
  { ownerId }: ImportTarget,
  type: TimedType,
  items: readonly TimelogsItem[],
): Promise<void> {
  const rows = items.flatMap(({ id, timelogs }) =>
    timelogs.map((log) => ({
      issuable: id,
      user_id: log.userId,
      seconds: log.seconds,
      summary: log.summary,
      spent: log.spentAt,
      created: log.createdAt,
    })),
  );
  if (rows.length > 0) await tx.query(INSERT, [type, ownerId, JSON.stringify(rows)]);
}
