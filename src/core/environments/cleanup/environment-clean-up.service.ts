import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { nextIds } from '#kernel/queue/rows-apart.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import { guessTier } from '../naming/environment-tier.js';
import { Environment } from '../environment.entity.js';
import { boundToTierSql, keptFromSql } from '../protection/protection.sql.js';
import { StopDueEnvironmentsJob } from '../stop/stop-due-environments.job.js';

/** Days between scheduling and removing a review environment. */
const GRACE_DAYS = 7;

/** Tier of new environments in the folder `review`. */
const REVIEW_TIER = guessTier('review/');

const STOP_STALE = `update environments e set state = case when h.jobs then 'available' else 'stopped' end,
    auto_stop_at = case when h.jobs then now() end, updated_at = now()
  from (select c.id, exists (select 1 from deployments d
    where d.environment_id = c.id and d.status = 'success' and d.on_stop is not null) as jobs
    from environments c where c.id = any($1::bigint[])) h
  where e.id = h.id and e.state = 'available' and not ${keptFromSql('e.project_id', 'e.name', 'e.tier', '$3::bigint', '$4')}
    and not exists (select 1 from deployments d where d.environment_id = e.id and d.updated_at >= $2)`;

const NEXT_DUE = `select id from environments where auto_delete_at <= now() and state = 'stopped' and id > $1 order by id limit 100`;

/** Stops and removes many environments at once. */
@Injectable()
export class EnvironmentCleanUpService {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Stops available environments that were neither changed nor deployed to since `before` and that the user
   * may stop; stop jobs are played in the background.
   */
  stopStale(projectId: number, before: Date, by: RightsOf): Promise<void> {
    return this.transactions.run(async (tx) => {
      // Lock first, check afterwards: a concurrent deployment is then either finished and visible, or starts
      // later.
      const candidates = await tx.query<{ id: number }[]>(
        `select id from environments where project_id = $1 and state = 'available' and updated_at < $2 order by id for update`,
        [projectId, before],
      );
      await tx.query(STOP_STALE, [candidates.map(({ id }) => id), before, by.userId, by.role === Role.Admin]);
      await this.jobs.enqueue(tx, StopDueEnvironmentsJob, {});
    });
  }

  /**
   * Schedules stopped environments in the folder `review` for removal in a week (a deployment before that cancels it):
   * those that were created before, are not scheduled yet and may be removed by the user, oldest first. Returns their
   * ids; a trial only does that.
   */
  removeReviewApps(
    projectId: number,
    { before, limit, isTrial }: Readonly<{ before: Date; limit: number; isTrial: boolean }>,
    by: RightsOf,
  ): Promise<number[]> {
    return this.transactions.run(async (tx) => {
      const found = await this.findReviewApps(tx, projectId, before, limit, by);
      if (!isTrial) await this.schedule(tx, found);
      return found;
    });
  }

  private async findReviewApps(
    tx: Tx,
    projectId: number,
    before: Date,
    limit: number,
    by: RightsOf,
  ): Promise<number[]> {
    const rows = await tx.query<{ id: number }[]>(
      `select e.id from environments e where e.project_id = $1 and e.state = 'stopped' and e.environment_type = 'review'
         and e.auto_delete_at is null and e.created_at < $2
         and not ${boundToTierSql('e.project_id', 'e.name', 'e.tier', `'${REVIEW_TIER}'`, '$4::bigint', '$5')}
       order by e.created_at, e.id limit $3 for update of e`,
      [projectId, before, limit, by.userId, by.role === Role.Admin],
    );
    return rows.map(({ id }) => id);
  }

  private async schedule(tx: Tx, ids: readonly number[]): Promise<void> {
    await tx.query(
      `update environments set auto_delete_at = now() + $2 * interval '1 day', updated_at = now() where id = any($1::bigint[])`,
      [ids, GRACE_DAYS],
    );
  }

  /** Returns the ids of the next environments that are due for removal. */
  findDue(tx: Tx, after: number): Promise<number[]> {
    return nextIds(tx, NEXT_DUE, after);
  }

  /** Locks an environment if it is due for removal and not locked by others. */
  async lockDue(tx: Tx, id: number): Promise<Environment | null> {
    return tx
      .createQueryBuilder(Environment, 'e')
      .where(`e.id = :id and e.autoDeleteAt <= now() and e.state = 'stopped'`, { id })
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getOne();
  }
}
