import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { subscribedSql } from './subscribed.sql.js';
import type { SubscriptionTarget } from './subscription-target.js';

const stateSql = (type: SubscriptionTarget['type']): string =>
  `select ${subscribedSql(type, '$1::bigint', '$2::bigint', '$3::bigint')} as subscribed`;

const SAY = `insert into subscriptions (user_id, target_type, target_id, project_id, subscribed) values ($1, $2, $3, $4, $5)
  on conflict (target_type, target_id, user_id, coalesce(project_id, 0)) do update set subscribed = excluded.subscribed
    where subscriptions.subscribed <> excluded.subscribed`;

/** Manages subscriptions (`planning.md` 5.9). */
@Injectable()
export class SubscriptionsService {
  constructor(private readonly database: ReadDatabase) {}

  /** Subscribes a user (to a label: in a project or, without one, in its group); false if nothing changes. */
  subscribe(tx: Tx, userId: number, target: SubscriptionTarget, projectId?: number | null): Promise<boolean> {
    return this.say(tx, userId, target, projectId ?? null, true);
  }

  /** Unsubscribes a user, even from objects in which the user participates; false if nothing changes. */
  unsubscribe(
    tx: Tx,
    userId: number,
    target: SubscriptionTarget,
    projectId?: number | null,
  ): Promise<boolean> {
    return this.say(tx, userId, target, projectId ?? null, false);
  }

  /**
   * Unsubscribes a user who is written to for another reason too, such as the notification level, and who
   * need not be subscribed.
   */
  async silence(tx: Tx, userId: number, { type, id }: SubscriptionTarget): Promise<void> {
    await tx.query(SAY, [userId, type, id, null, false]);
  }

  /** Returns whether a user is subscribed. */
  async isSubscribed(
    userId: number,
    target: SubscriptionTarget,
    projectId: number | null = null,
  ): Promise<boolean> {
    const values = [target.id, userId, projectId];
    const row = await this.database.always<{ subscribed: boolean }>(stateSql(target.type), values);
    return row.subscribed;
  }

  /** Removes the subscriptions to objects that are removed. */
  async forget(tx: Tx, type: SubscriptionTarget['type'], ids: readonly number[]): Promise<void> {
    await tx.query('delete from subscriptions where target_type = $1 and target_id = any($2::bigint[])', [
      type,
      ids,
    ]);
  }

  private async say(
    tx: Tx,
    userId: number,
    { type, id }: SubscriptionTarget,
    projectId: number | null,
    subscribed: boolean,
  ): Promise<boolean> {
    const [state] = await tx.query<{ subscribed: boolean }[]>(stateSql(type), [id, userId, projectId]);
    if (state?.subscribed === subscribed) return false;
    await tx.query(SAY, [userId, type, id, projectId, subscribed]);
    return true;
  }
}
