import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Environment } from './environment.entity.js';

/** Days until a review environment that was scheduled for removal is removed. */
const GRACE_DAYS = 7;

/** Stopping and removing many environments at once. */
@Injectable()
export class EnvironmentCleanUp {
  /** Stops what is available and was neither changed nor deployed to since `before`. */
  async stopStale(tx: Tx, projectId: number, before: Date): Promise<void> {
    // Locked first and judged afterwards: a deployment that is under way is then either over and seen, or comes later.
    const candidates = await tx.query<{ id: number }[]>(
      `select id from environments where project_id = $1 and state = 'available' and updated_at < $2 order by id for update`,
      [projectId, before],
    );
    await tx.query(
      `update environments e set state = 'stopped', auto_stop_at = null, updated_at = now()
       where e.id = any($1::bigint[]) and e.state = 'available' and not exists (
         select 1 from deployments d where d.environment_id = e.id and d.updated_at >= $2)`,
      [candidates.map(({ id }) => id), before],
    );
  }

  /** Ids of stopped environments in the folder `review` that were created before and are not scheduled yet, oldest first. */
  async findReviewApps(tx: Tx, projectId: number, before: Date, limit: number): Promise<number[]> {
    const rows = await tx.query<{ id: number }[]>(
      `select id from environments where project_id = $1 and state = 'stopped' and environment_type = 'review'
         and auto_delete_at is null and created_at < $2
       order by created_at, id limit $3 for update`,
      [projectId, before, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Schedules environments for removal in a week; one that is deployed to until then stays. */
  async schedule(tx: Tx, ids: readonly number[]): Promise<void> {
    await tx.query(
      `update environments set auto_delete_at = now() + $2 * interval '1 day', updated_at = now() where id = any($1::bigint[])`,
      [ids, GRACE_DAYS],
    );
  }

  /** Locks one environment whose time has come, or returns null when there is none that nobody else is at. */
  async lockDue(tx: Tx): Promise<Environment | null> {
    return tx
      .createQueryBuilder(Environment, 'e')
      .where(`e.autoDeleteAt <= now() and e.state = 'stopped'`)
      .orderBy('e.autoDeleteAt')
      .limit(1)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getOne();
  }
}
