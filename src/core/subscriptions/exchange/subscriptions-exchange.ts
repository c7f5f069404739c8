import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsOf } from '#core/exchange/source-ids.js';
import { integerIn, recordsIn, timeIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { SubscriptionTarget } from '../subscription-target.js';

/** An imported subscription choice of a user known here. */
export interface ImportedSubscription {
  readonly userId: number;
  readonly subscribed: boolean;
  readonly createdAt: string | null;
}

/** Subscription choices for one object. */
export interface SubscriptionsItem {
  /** Id of the local object. */
  readonly id: number;
  readonly subscriptions: readonly ImportedSubscription[];
}

const INSERT = `insert into subscriptions (user_id, target_type, target_id, project_id, subscribed, created_at)
  select x.user_id, $1, x.subscribable, $2::bigint, x.subscribed, coalesce(x.created, now())
  from json_to_recordset($3::json) as x(user_id bigint, subscribable bigint, subscribed boolean, created timestamptz) on conflict do nothing`;

/**
 * SQL expression: subscription choices as JSON of the attribute `subscriptions`, which v4 servers do not
 * have; `project` limits them to those made there.
 */
export const subscriptionsJson = (
  type: SubscriptionTarget['type'],
  id: string,
  project = 'null::bigint',
): string =>
  `(select coalesce(json_agg(json_build_object('user_id', xs.user_id, 'subscribed', xs.subscribed, 'created_at', ${isoTimeSql('xs.created_at')})
      order by xs.user_id), '[]')
    from subscriptions xs where xs.target_type = '${type}' and xs.target_id = ${id} and xs.project_id is not distinct from ${project})`;

/** Returns the ids of users in `subscriptions`. */
export const subscriptionUserIds = (record: SourceRecord): number[] =>
  userIdsOf(record, 'subscriptions', 'user_id');

/** Parses `subscriptions` of a record; skips users unknown here. @throws RecordRefused */
export function readSubscriptions(record: SourceRecord, target: ImportTarget): ImportedSubscription[] {
  const said = new Map<number, ImportedSubscription>();
  for (const entry of recordsIn(record, 'subscriptions')) {
    const userId = target.userOf(integerIn(entry, 'user_id', 1));
    const { subscribed } = entry;
    if (userId !== null && typeof subscribed === 'boolean')
      said.set(userId, { userId, subscribed, createdAt: timeIn(entry, 'created_at') });
  }
  return [...said.values()];
}

/**
 * Inserts the choices for many objects with one statement; `projectId` for labels, which are chosen per
 * project.
 */
export async function importSubscriptions(
  tx: Tx,
  type: SubscriptionTarget['type'],
  items: readonly SubscriptionsItem[],
  projectId: number | null = null,
): Promise<void> {
  const rows = items.flatMap(({ id, subscriptions }) =>
    subscriptions.map(({ userId, subscribed, createdAt }) => ({
      user_id: userId,
      subscribable: id,
      subscribed,
      created: createdAt,
    })),
  );
  if (rows.length > 0) await tx.query(INSERT, [type, projectId, JSON.stringify(rows)]);
}
