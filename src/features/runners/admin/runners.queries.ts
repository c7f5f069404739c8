import { Injectable } from '@nestjs/common';
import type { Actor, GroupSubject, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { JOB_COLUMNS, JOB_FROM, type JobRow } from '#core/ci/jobs/job.row.js';
import {
  keepsFromInstanceRunnersSql,
  TAKES_INSTANCE_RUNNERS,
} from '#core/ci/runners/instance-runners.sql.js';
import { RUNNER_BASIC_COLUMNS, RUNNER_CONTACT_SQL } from '#core/ci/runners/runner-basic.record.js';
import { hasGroupRoleSql } from '#core/groups/group-access.sql.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { AUTHORIZED } from '#core/projects/lists/visible-projects.js';
import type { RunnerManagerRow } from './runner-manager.record.js';
import { readableProjectsSql } from './runner-rights.sql.js';
import type { RunnerRow } from './runner.record.js';
import type { ListRunnerJobsParams, ListRunnersParams, RunnerStatus } from './runners.params.js';

const SHAPE: ListShape = {
  kind: 'Runner',
  select: `r.id, ${RUNNER_BASIC_COLUMNS}`,
  from: 'ci_runners r',
  key: 'r.id',
};

const MANAGERS: ListShape = {
  kind: 'Runner Manager',
  select: `r.id, r.system_id, r.version, r.revision, r.platform, r.architecture, r.created_at, r.contacted_at,
    ${RUNNER_CONTACT_SQL} as status`,
  from: 'ci_runner_managers r',
  key: 'r.id',
};

const JOBS: ListShape = {
  kind: 'Job',
  select: JOB_COLUMNS,
  from: JOB_FROM,
  countFrom: 'ci_jobs j',
  deepFrom: 'ci_jobs j',
  key: 'j.id',
};

/** SQL condition: runners that a user manages, of their groups and of projects that they maintain. */
const OWN = `r.id = any(array(
  select rg.runner_id from ci_runner_groups rg join namespaces n on n.id = rg.group_id and not n.pending_delete
    where ${hasGroupRoleSql('?::bigint', String(Role.Owner))}
  union all select rp.runner_id from ci_runner_projects rp join projects p on p.id = rp.project_id and not p.pending_delete
    join namespaces n on n.id = p.namespace_id
    where rp.project_id = any(array(${AUTHORIZED})) and ${projectRoleSql('?::bigint', 'p', 'n')} >= ${Role.Maintainer}))`;

/** Number of placeholders for the user in OWN. */
const OWN_MARKS = OWN.split('?').length - 1;

const OF_GROUPS = 'select runner_id from ci_runner_groups where group_id = any(?::bigint[])';
const OF_PROJECT = 'select runner_id from ci_runner_projects where project_id = ?';

const INSTANCE_RUNNERS_WORK = `select ${TAKES_INSTANCE_RUNNERS} from projects p where p.id = ?`;

/** Lists runners, and what belongs to one. */
@Injectable()
export class RunnersQueries {
  /** Lists the runners that the actor manages. */
  own({ id }: Actor, params: ListRunnersParams): ListQuery<RunnerRow> {
    const list = filtered(params).where(OWN, ...Array<number>(OWN_MARKS).fill(id));
    return list.long();
  }

  /** Lists all runners. */
  all(params: ListRunnersParams): ListQuery<RunnerRow> {
    return filtered(params);
  }

  /**
   * Lists the runners that work for a project: its own, those of the groups above, and instance runners if
   * enabled.
   */
  ofProject({ id, traversalIds, settings }: ProjectSubject, params: ListRunnersParams): ListQuery<RunnerRow> {
    const groups = settings['group_runners_enabled'] === false ? [] : traversalIds;
    return filtered(params).where(
      `(r.id = any(array(${OF_PROJECT} union all ${OF_GROUPS})) or (r.runner_type = 'instance_type' and (${INSTANCE_RUNNERS_WORK})))`,
      ...[id, groups, id],
    );
  }

  /** Lists the runners that work for a group: its own, those of the groups above, and instance runners. */
  ofGroup({ traversalIds }: GroupSubject, params: ListRunnersParams): ListQuery<RunnerRow> {
    return filtered(params).where(
      `(r.id = any(array(${OF_GROUPS})) or (r.runner_type = 'instance_type' and not (${keepsFromInstanceRunnersSql('?::bigint[]')})))`,
      ...[traversalIds, traversalIds],
    );
  }

  /** Lists the machines of a runner. */
  managers(runnerId: number): ListQuery<RunnerManagerRow> {
    return new ListQuery<RunnerManagerRow>(MANAGERS).of('r.runner_id', runnerId);
  }

  /** Lists the jobs of a runner in projects whose jobs the actor may read. */
  jobs(
    { id, admin }: Actor,
    { id: runnerId, status, sort = 'desc' }: ListRunnerJobsParams,
  ): ListQuery<JobRow> {
    const list = new ListQuery<JobRow>(JOBS).of('j.runner_id', runnerId).where(`j.kind = 'build'`);
    if (!admin) {
      const projects = readableProjectsSql('?::bigint');
      const marks = projects.split('?').length - 1;
      list.where(
        `j.project_id = any(array(select q.id from ci_runners r cross join lateral (${projects}) q where r.id = ?))`,
        ...Array<number>(marks).fill(id),
        runnerId,
      );
    }
    if (status) list.where('j.status = ?', status);
    return list.orderBy('j.id', sort).long();
  }
}

function filtered({ type, status, paused, tag_list: tags, scope }: ListRunnersParams): ListQuery<RunnerRow> {
  const list = new ListQuery<RunnerRow>(SHAPE);
  if (type) list.where('r.runner_type = ?', type);
  if (paused !== undefined) list.where('r.paused = ?', paused);
  if (tags && tags.length > 0) list.where('r.tag_list @> ?::text[]', tags);
  if (status) withStatus(list, status);
  if (scope === 'shared') list.where(`r.runner_type = 'instance_type'`);
  else if (scope === 'specific') list.where(`r.runner_type <> 'instance_type'`);
  else if (scope) withStatus(list, scope);
  return list;
}

function withStatus(list: ListQuery<RunnerRow>, status: RunnerStatus): void {
  if (status === 'active' || status === 'paused') list.where('r.paused = ?', status === 'paused');
  else list.where(`${RUNNER_CONTACT_SQL} = ?`, status === 'not_connected' ? 'never_contacted' : status);
}
