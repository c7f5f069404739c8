import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Tier } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { DEPLOYMENT_COLUMNS } from '#core/environments/deployments/deployment-summary.record.js';
import { ENVIRONMENT_BASIC_COLUMNS } from '#core/environments/environment-basic.record.js';
import { LIVE_COUNT_SQL } from '#core/iids/internal-ids.service.js';
import {
  APPROVAL_STATE_SQL,
  COUNTING_APPROVALS,
  isSettled,
  OPEN_STATE_SQL,
  settle,
} from './approvals/approval-state.js';
import type { DeploymentRow } from './deployment.record.js';
import type { DeploymentOrder, ListDeploymentsParams } from './deployments.params.js';

/**
 * `= any(array[...])` is an equality that cannot be hashed: a hash join would lose the order of the index and
 * sort all filtered rows, which the planner considers cheap without knowing the values. The iid is unique in
 * the project and increases with the id, but has no index over all projects that the planner could walk by
 * mistake.
 */
const FREE: ListShape = {
  kind: 'Deployment',
  select: `${DEPLOYMENT_COLUMNS}, ${ENVIRONMENT_BASIC_COLUMNS}`,
  from: `deployments d join environments e on e.id = any(array[d.environment_id])
    left join users u on u.id = any(array[d.user_id])`,
  countFrom: 'deployments d',
  deepFrom: 'deployments d',
  key: 'd.iid',
  keyset: {
    id: { columns: [{ sql: 'd.iid', property: 'iid', type: 'bigint' }], directions: ['asc', 'desc'] },
  },
};

/**
 * Approvals cost next to nothing for deployments without a job, which need none; but those given before its
 * pipeline was removed, or at another instance, remain.
 */
const withApprovals = (state: string): ListShape => ({
  ...FREE,
  select: `${FREE.select}, case when d.job_id is not null or d.status = 'blocked'
    or exists (select 1 from deployment_approvals given where given.deployment_id = d.id) then ${state} end as approval`,
});
const PREMIUM = withApprovals(APPROVAL_STATE_SQL);
const UNJUDGED = withApprovals(OPEN_STATE_SQL);

const shapeOf = (tier: Tier): ListShape => (tier >= Tier.Premium ? PREMIUM : FREE);

const findOne = ({ select, from }: ListShape): string =>
  `select ${select} from ${from} where d.id = $2 and d.project_id = $1`;

const EXISTS = 'select 1 from deployments where id = $2 and project_id = $1';

/** Numbers, ids and creation times have the same order. */
const COLUMNS: Readonly<Record<DeploymentOrder, string>> = {
  id: 'd.iid',
  iid: 'd.iid',
  created_at: 'd.iid',
  updated_at: 'd.updated_at',
  finished_at: 'd.finished_at',
  ref: 'd.ref',
};

/** Reads deployments. Each combination of filters and order has an index in list order. */
@Injectable()
export class DeploymentsQueries {
  /**
   * Projects whose lists had pending approvals in the last minute: their next lists evaluate all in the same
   * statement.
   */
  private readonly waiting = new LRUCache<number, true>({ max: 10_000, ttl: 60_000 });

  constructor(private readonly database: ReadDatabase) {}

  /** Lists the deployments of a project; `judge` completes the rows. */
  list(projectId: number, params: ListDeploymentsParams, tier: Tier): ListQuery<DeploymentRow> {
    const { environment, status, updated_after: after, updated_before: before } = params;
    const query = new ListQuery<DeploymentRow>(this.listShape(projectId, tier)).fromReplica();
    // An environment belongs to one project: with a single condition the planner uses the environment's
    // index.
    if (environment === undefined) query.where('d.project_id = ?', projectId);
    else {
      query.where(
        'd.environment_id = (select id from environments where project_id = ? and name = ?)',
        projectId,
        environment,
      );
    }
    if (status !== undefined) query.where('d.status = ?', status);
    if (after) query.where('d.updated_at >= ?', after);
    if (before) query.where('d.updated_at <= ?', before);
    if (params.finished_after) query.where('d.finished_at >= ?', params.finished_after);
    if (params.finished_before) query.where('d.finished_at < ?', params.finished_before);
    const order = after || before ? 'updated_at' : (params.order_by ?? 'id');
    query.orderBy(COLUMNS[order], params.sort ?? 'asc');
    const isFiltered = environment !== undefined || status !== undefined || after || before;
    return isFiltered ? query : query.totalWithRows(LIVE_COUNT_SQL, projectId, 'deployments');
  }

  /** Returns the rows of a list with all approvals evaluated: one more statement if some are pending. */
  async judge(projectId: number, rows: readonly DeploymentRow[]): Promise<readonly DeploymentRow[]> {
    const open = rows.filter(({ approval }) => !isSettled(approval)).map(({ id }) => id);
    if (open.length === 0) return rows;
    this.waiting.set(projectId, true);
    const counting = await this.database.short<{ id: number }>(COUNTING_APPROVALS, [open]);
    const ids = new Set(counting.map(({ id }) => id));
    return rows.map((row) => (row.approval ? { ...row, approval: settle(row.approval, ids) } : row));
  }

  /** Returns a deployment; null if the project has none with this id. */
  find(projectId: number, id: number, tier: Tier): Promise<DeploymentRow | null> {
    return this.database.one<DeploymentRow>(findOne(shapeOf(tier)), [projectId, id]);
  }

  /** Returns whether the project has a deployment with this id. */
  async exists(projectId: number, id: number): Promise<boolean> {
    return (await this.database.one(EXISTS, [projectId, id])) !== null;
  }

  private listShape(projectId: number, tier: Tier): ListShape {
    if (tier < Tier.Premium) return FREE;
    return this.waiting.has(projectId) ? PREMIUM : UNJUDGED;
  }
}
