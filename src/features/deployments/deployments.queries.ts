import { Injectable } from '@nestjs/common';
import { Tier } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { DEPLOYMENT_COLUMNS } from '#core/environments/deployments/deployment-summary.record.js';
import { ENVIRONMENT_BASIC_COLUMNS } from '#core/environments/environment-basic.record.js';
import { LIVE_COUNT_SQL } from '#core/iids/internal-ids.service.js';
import { APPROVAL_STATE_SQL } from './approvals/approval-state.js';
import type { DeploymentRow } from './deployment.record.js';
import type { DeploymentOrder, ListDeploymentsParams } from './deployments.params.js';

/**
 * `= any(array[...])` is equality that cannot be hashed: a hash join would lose the order of the index and sort all that the
 * filters leave, which the planner takes for cheap where it knows no values. The iid is unique in the project and rises with the
 * id, but has no index of all projects that the planner could walk by mistake.
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

/** Approvals cost nothing where no job has made the deployment: it needs none. */
const PREMIUM: ListShape = {
  ...FREE,
  select: `${FREE.select}, case when d.job_id is not null then ${APPROVAL_STATE_SQL} end as approval`,
};

const shapeOf = (tier: Tier): ListShape => (tier >= Tier.Premium ? PREMIUM : FREE);

const findOne = ({ select, from }: ListShape): string =>
  `select ${select} from ${from} where d.id = $2 and d.project_id = $1`;

const EXISTS = 'select 1 from deployments where id = $2 and project_id = $1';

/** Numbers, ids and times of creation rise together. */
const COLUMNS: Readonly<Record<DeploymentOrder, string>> = {
  id: 'd.iid',
  iid: 'd.iid',
  created_at: 'd.iid',
  updated_at: 'd.updated_at',
  finished_at: 'd.finished_at',
  ref: 'd.ref',
};

/** Reading deployments. Each combination of filters and order has an index that yields its rows in order. */
@Injectable()
export class DeploymentsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** The list of a project's deployments. */
  list(projectId: number, params: ListDeploymentsParams, tier: Tier): ListQuery<DeploymentRow> {
    const { environment, status, updated_after: after, updated_before: before } = params;
    const query = new ListQuery<DeploymentRow>(shapeOf(tier));
    // An environment's deployments are all of its project: one condition, so that its own indexes are the choice.
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

  /** One deployment, or null where the project has none of this id. */
  find(projectId: number, id: number, tier: Tier): Promise<DeploymentRow | null> {
    return this.database.one<DeploymentRow>(findOne(shapeOf(tier)), [projectId, id]);
  }

  /** Whether the project has a deployment of this id. */
  async exists(projectId: number, id: number): Promise<boolean> {
    return (await this.database.one(EXISTS, [projectId, id])) !== null;
  }
}
