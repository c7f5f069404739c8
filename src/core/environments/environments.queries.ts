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

/**
 * Ordered by project and id, over `project_id = any(array[...])`: the planner does not see that there is only one project, so it
 * cannot take the primary key for an index in the right order and walk it through the environments of all other projects.
 */
const LIST: ListShape = {
  kind: 'Environment',
  select: `e.id, e.project_id, ${ENVIRONMENT_COLUMNS}, ${ENVIRONMENT_PROJECT_COLUMN}`,
  from: 'environments e',
  key: 'e.id',
  keyset: { id: byOwner('e') },
};

/** One environment with its last successful deployment, which one index finds. */
const WITH_DEPLOYMENT = `select ${ENVIRONMENT_COLUMNS}, ${DEPLOYMENT_COLUMNS} from environments e
  left join lateral (select * from deployments where environment_id = e.id and status = 'success'
    order by finished_at desc, iid desc limit 1) d on true
  left join users u on u.id = d.user_id
  where e.id = $2 and e.project_id = $1`;

const WITH_PROJECT = `select ${LIST.select} from environments e where e.id = $2 and e.project_id = $1`;

const REVIEW_APPS = `select ${ENVIRONMENT_BASIC_COLUMNS} from environments e where e.project_id = $1 and e.id = any($2::bigint[])
  order by e.created_at, e.id`;

/** A name never continues with a character above this one. */
const AFTER_NAMES = '\x7f';

/** An environment with its last deployment; the columns of the latter are null where there is none. */
export type EnvironmentWithDeployment = EnvironmentRow &
  Omit<DeploymentSummaryRow, 'id'> & { readonly id: number | null };

/** Reading environments. */
@Injectable()
export class EnvironmentsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** The list of a project's environments, by id. */
  list(
    projectId: number,
    { name, search, states }: ListEnvironmentsParams,
  ): ListQuery<EnvironmentOfProjectRow> {
    const query = new ListQuery<EnvironmentOfProjectRow>(LIST).where(
      'e.project_id = any(array[?::bigint])',
      projectId,
    );
    if (name !== undefined) query.where('e.name = ?', name);
    if (states !== undefined) query.where('e.state = ?', states);
    if (search !== undefined) {
      const prefix = search.toLowerCase();
      query.where('lower(e.name) ~>=~ ? and lower(e.name) ~<~ ?', prefix, prefix + AFTER_NAMES).long();
    }
    return query.orderBy('e.project_id', 'asc');
  }

  /** One environment with its project, or nothing where the project has none of this id. */
  findWithProject(projectId: number, id: number): Promise<EnvironmentOfProjectRow[]> {
    return this.database.short<EnvironmentOfProjectRow>(WITH_PROJECT, [projectId, id]);
  }

  /** One environment with its last deployment, or null where the project has none of this id. */
  findWithDeployment(projectId: number, id: number): Promise<EnvironmentWithDeployment | null> {
    return this.database.one<EnvironmentWithDeployment>(WITH_DEPLOYMENT, [projectId, id]);
  }

  /** Short forms of some of a project's environments, the oldest first. */
  basics(projectId: number, ids: readonly number[]): Promise<EnvironmentBasicRow[]> {
    return this.database.short<EnvironmentBasicRow>(REVIEW_APPS, [projectId, ids]);
  }
}
