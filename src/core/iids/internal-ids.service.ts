import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

/** Kinds of objects numbered within a project. */
export type IidUsage = 'deployments' | 'pipelines' | 'issues' | 'merge_requests' | 'milestones' | 'alerts';

/** Kinds of objects numbered within a group. */
export type GroupIidUsage = 'milestones' | 'epics';

/**
 * SQL expression of `ListQuery.totalWithRows` for the unfiltered list of a usage; values: the project's id,
 * the usage.
 */
export const LIVE_COUNT_SQL = 'select live_count from internal_ids where project_id = ? and usage = ?';

/**
 * SQL that takes the next number of a usage as `last_value` and counts a row, for a statement that also
 * inserts the row. Arguments are expressions.
 */
export const nextIidSql = (projectId: string, usage: string): string =>
  `insert into internal_ids (project_id, usage, last_value, live_count) values (${projectId}, ${usage}, 1, 1)
       on conflict (project_id, usage) do update
         set last_value = internal_ids.last_value + 1, live_count = internal_ids.live_count + 1
       returning last_value`;

/**
 * The same for many rows of several projects, in the order of ids: the last number of each project. `k` is a
 * source with columns `project_id` and `wanted`.
 */
export const nextIidsSql = (usage: string, k: string): string =>
  `insert into internal_ids (project_id, usage, last_value, live_count)
       select k.project_id, ${usage}, k.wanted, k.wanted from ${k} order by k.project_id
       on conflict (project_id, usage) do update
         set last_value = internal_ids.last_value + excluded.last_value, live_count = internal_ids.live_count + excluded.live_count
       returning project_id, last_value`;

const NEXT = nextIidSql('$1', '$2');

/**
 * Assigns numbers within a project, from 1, without gaps and without reuse. The counter row stays locked
 * until the transaction of the new row ends: a rollback returns the number, and ids have the order of iids.
 */
@Injectable()
export class InternalIdsService {
  /**
   * Takes the next number and counts a row: call it right before inserting the row, in the same transaction.
   */
  async next(tx: Tx, projectId: number, usage: IidUsage): Promise<number> {
    const [row] = await tx.query<{ last_value: number }[]>(NEXT, [projectId, usage]);
    if (!row) throw new Error(`No counter of ${usage} in project ${projectId}`);
    return row.last_value;
  }

  /**
   * Takes a requested number; later ones are greater. Call it like `next`: the unique index of the rows
   * checks that the number is free.
   */
  async take(tx: Tx, projectId: number, usage: IidUsage, iid: number): Promise<void> {
    await tx.query(
      `insert into internal_ids (project_id, usage, last_value, live_count) values ($1, $2, $3, 1)
       on conflict (project_id, usage) do update
         set last_value = greatest(internal_ids.last_value, $3), live_count = internal_ids.live_count + 1`,
      [projectId, usage, iid],
    );
  }

  /** Takes requested numbers for many rows: later ones are greater than all of them. Call it like `take`. */
  async takeMany(tx: Tx, projectId: number, usage: IidUsage, iids: readonly number[]): Promise<void> {
    if (iids.length === 0) return;
    await tx.query(
      `insert into internal_ids (project_id, usage, last_value, live_count) values ($1, $2, $3, $4)
       on conflict (project_id, usage) do update
         set last_value = greatest(internal_ids.last_value, $3), live_count = internal_ids.live_count + $4`,
      [projectId, usage, iids.reduce((most, iid) => Math.max(most, iid), 0), iids.length],
    );
  }

  /** Does the same within a group. */
  async takeManyOfGroup(
    tx: Tx,
    groupId: number,
    usage: GroupIidUsage,
    iids: readonly number[],
  ): Promise<void> {
    if (iids.length === 0) return;
    await tx.query(
      `insert into group_internal_ids (group_id, usage, last_value) values ($1, $2, $3)
       on conflict (group_id, usage) do update set last_value = greatest(group_internal_ids.last_value, $3)`,
      [groupId, usage, iids.reduce((most, iid) => Math.max(most, iid), 0)],
    );
  }

  /** Takes the next number within a group. */
  async nextOfGroup(tx: Tx, groupId: number, usage: GroupIidUsage): Promise<number> {
    const [row] = await tx.query<{ last_value: number }[]>(
      `insert into group_internal_ids (group_id, usage, last_value) values ($1, $2, 1)
       on conflict (group_id, usage) do update set last_value = group_internal_ids.last_value + 1
       returning last_value`,
      [groupId, usage],
    );
    if (!row) throw new Error(`No counter of ${usage} in group ${groupId}`);
    return row.last_value;
  }

  /** Uncounts `count` rows, in the transaction that removes them; their numbers are not reused. */
  async removed(tx: Tx, projectId: number, usage: IidUsage, count: number): Promise<void> {
    if (count === 0) return;
    await tx.query(
      'update internal_ids set live_count = live_count - $3 where project_id = $1 and usage = $2',
      [projectId, usage, count],
    );
  }
}
