import { Injectable } from '@nestjs/common';
import { byOwner } from '#kernel/database/lists/keyset-orders.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { DEPLOYMENT_COLUMNS, type DeploymentSummaryRow } from './deployments/deployment-summary.record.js';
import { ENVIRONMENT_BASIC_COLUMNS, type EnvironmentBasicRow } from './environment-basic.record.js';
import {
  ENVIRONMENT_PROJECT_COLUMN,
  type EnvironmentOfProjectRow,
} from './deployments/environment-project.js';
import { ENVIRONMENT_COLUMNS, type EnvironmentRow } from './environment.record.js';
import type { ListEnvironmentsParams } from './environments.params.js';

const LIST: ListShape = {
  kind: 'Environment',
  select: `e.id, e.project_id, ${ENVIRONMENT_COLUMNS}, ${ENVIRONMENT_PROJECT_COLUMN}`,
  from: 'environments e',
  key: 'e.id',
  keyset: { id: byOwner('e') },
};

/** Environments with their last successful deployment, which one index finds. */
const WITH_DEPLOYMENT = `select ${ENVIRONMENT_COLUMNS}, ${DEPLOYMENT_COLUMNS} from environments e
  left join lateral (select * from deployments where environment_id = e.id and status = 'success'
    order by finished_at desc, iid desc limit 1) d on true
  left join users u on u.id = d.user_id
  where e.id = $2 and e.project_id = $1`;

const WITH_PROJECT = `select ${LIST.select} from environments e where e.id = $2 and e.project_id = $1`;

const REVIEW_APPS = `select ${ENVIRONMENT_BASIC_COLUMNS} from environments e where e.project_id = $1 and e.id = any($2::bigint[])
  order by e.created_at, e.id`;

/** Sorts after all characters that can continue a name. */
const AFTER_NAMES = '\x7f';

/** An environment with its last deployment; its columns are null if there is none. */
export type EnvironmentWithDeployment = EnvironmentRow &
  Omit<DeploymentSummaryRow, 'id'> & { readonly id: number | null };

/** Reads environments. */
@Injectable()
export class EnvironmentsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the environments of a project, by id. */
  list(
    projectId: number,
    { name, search, states }: ListEnvironmentsParams,
  ): ListQuery<EnvironmentOfProjectRow> {
    const query = new ListQuery<EnvironmentOfProjectRow>(LIST).of('e.project_id', projectId).fromReplica();
    if (name !== undefined) query.where('e.name = ?', name);
    if (states !== undefined) query.where('e.state = ?', states);
    if (search !== undefined) {
      const prefix = search.toLowerCase();
      query.where('lower(e.name) ~>=~ ? and lower(e.name) ~<~ ?', prefix, prefix + AFTER_NAMES).long();
    }
    return query.orderBy('e.id', 'asc');
  }

  /** Returns an environment with its project; empty if the project has none with this id. */
  findWithProject(projectId: number, id: number): Promise<EnvironmentOfProjectRow[]> {
    return this.database.short<EnvironmentOfProjectRow>(WITH_PROJECT, [projectId, id]);
  }

  /** Returns an environment with its last deployment; null if the project has none with this id. */
  findWithDeployment(projectId: number, id: number): Promise<EnvironmentWithDeployment | null> {
    return this.database.one<EnvironmentWithDeployment>(WITH_DEPLOYMENT, [projectId, id]);
  }

  /** Returns short forms of some environments of a project, oldest first. */
  basics(projectId: number, ids: readonly number[]): Promise<EnvironmentBasicRow[]> {
    return this.database.short<EnvironmentBasicRow>(REVIEW_APPS, [projectId, ids]);
  }
}
