import { Injectable } from '@nestjs/common';
import type { Actor, ProjectSubject } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { HttpError, notFound } from '#kernel/http/errors.js';
import { AuditLogService, type AuditChange } from '#core/audit/audit-log.service.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import {
  ME,
  PROJECT_FROM,
  SIMPLE_COLUMNS,
  visible,
  type ProjectSimpleRow,
} from '#core/projects/project.row.js';

const INBOUND = 'ci_inbound_job_token_scope_enabled';

/** Limit of the list, because each request with a job token scans it. */
const LIMIT = 100;

const LIST: ListShape = {
  kind: 'Project',
  select: SIMPLE_COLUMNS,
  from: `ci_job_token_links l join ${PROJECT_FROM} on p.id = l.source_project_id`,
  key: 'p.id',
};

const SEEN = `select p.id from ${PROJECT_FROM} cross join (select $2::bigint as id, $3::boolean as admin, $4::boolean as internal) me
  where p.id = $1 and not p.pending_delete and ${visible('p', projectRoleSql('me.id', 'p', 'n'))}`;

const COUNT = `select count(*)::int as count from ci_job_token_links where target_project_id = $1 and direction = 'inbound'`;

/** The source is the project whose jobs get access, the target the project that grants it. */
const ADD = `insert into ci_job_token_links (source_project_id, target_project_id, direction, added_by_id)
  values ($1, $2, 'inbound', $3) on conflict do nothing returning 1`;

const REMOVE = `with gone as (delete from ci_job_token_links where source_project_id = $1 and target_project_id = $2 and direction = 'inbound'
  returning 1) select count(*)::int as count from gone`;

const refused = (reason: string): HttpError =>
  new HttpError(422, { message: `422 Unprocessable Entity - ${reason}` });

/** Manages which jobs of other projects may access a project with their tokens (`ci.md` 7.1). */
@Injectable()
export class JobTokenScopeService {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditLogService,
  ) {}

  /** Lists the projects whose jobs have access, of those that the actor can see. */
  list(projectId: number, { id, admin, external }: Actor): ListQuery<ProjectSimpleRow> {
    return new ListQuery<ProjectSimpleRow>(LIST)
      .join(ME, id, admin, !external)
      .where(visible('p', projectRoleSql('me.id', 'p', 'n')))
      .where('l.target_project_id = ?', projectId)
      .where(`l.direction = 'inbound' and not p.pending_delete`);
  }

  /** Enables or disables the restriction to listed projects. */
  async change(project: ProjectSubject, actor: Actor, enabled: boolean): Promise<void> {
    await this.transactions.run(async (tx) => {
      const former = await lock(tx, project.id);
      if (former === enabled) return;
      await tx.query(
        `update projects set settings = settings || jsonb_build_object($2::text, $3::boolean), updated_at = ${STATEMENT_TIME} where id = $1`,
        [project.id, INBOUND, enabled],
      );
      await this.record(tx, project, actor, { change: INBOUND, from: former, to: enabled });
    });
  }

  /** Gives access to the jobs of a project that the actor can see. @throws 404, 422 */
  async add(project: ProjectSubject, actor: Actor, sourceId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      await lock(tx, project.id);
      await assertSeen(tx, actor, sourceId);
      if (sourceId === project.id) throw refused("Target project can't be the same as the source project");
      const [row] = await tx.query<{ count: number }[]>(COUNT, [project.id]);
      if ((row?.count ?? 0) >= LIMIT) throw refused(`The allowlist can have at most ${LIMIT} projects`);
      const added = await tx.query<object[]>(ADD, [sourceId, project.id, actor.id]);
      if (added.length === 0) throw refused('Target project is already in the job token scope');
      await this.record(tx, project, actor, {
        customMessage: `Added project ${sourceId} to the job token allowlist`,
      });
    });
  }

  /** Revokes the access of a project's jobs, even if the actor cannot see the project. @throws 404 */
  async remove(project: ProjectSubject, actor: Actor, sourceId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const [row] = await tx.query<{ count: number }[]>(REMOVE, [sourceId, project.id]);
      if (!row || row.count === 0) throw notFound('Project');
      await this.record(tx, project, actor, {
        customMessage: `Removed project ${sourceId} from the job token allowlist`,
      });
    });
  }

  private record(tx: Tx, { id, name, fullPath }: ProjectSubject, actor: Actor, change: AuditChange) {
    const scope = { type: 'Project', id, path: fullPath } as const;
    return this.audit.record(tx, actor, scope, { type: 'Project', id, details: name }, change);
  }
}

/** Locks the project whose list changes; returns whether its list is enabled. @throws 404 */
async function lock(tx: Tx, projectId: number): Promise<boolean> {
  const [row] = await tx.query<{ enabled: boolean }[]>(
    `select coalesce((settings ->> '${INBOUND}')::boolean, true) as enabled from projects
      where id = $1 and not pending_delete for no key update`,
    [projectId],
  );
  if (!row) throw notFound('Project');
  return row.enabled;
}

async function assertSeen(tx: Tx, { id, admin, external }: Actor, projectId: number): Promise<void> {
  const rows = await tx.query<object[]>(SEEN, [projectId, id, admin, !external]);
  if (rows.length === 0) throw notFound('Project');
}
