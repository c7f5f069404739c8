import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden, HttpError, notFound } from '#kernel/http/errors.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { narrowForks } from '#core/groups/narrow-forks.js';
import { NamespacesQueries } from '#core/groups/namespaces/namespaces.queries.js';
import { CreateProject } from '#core/projects/writes/create-project.use-case.js';
import { CreateProjectParams } from '#core/projects/projects.params.js';
import { cappedVisibility } from '#core/projects/project-values.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
import { CopyForkJob } from './copy-fork.job.js';
import type { ForkProjectParams } from './fork-project.params.js';

/** Access levels of the source: otherwise a fork would open to everyone the code that only its members may read. */
const LEVELS = `(select coalesce(jsonb_object_agg(l.key, l.value), '{}') from jsonb_each(s.settings) l where l.key like '%\\_access\\_level')`;

const MARK = `update projects p set forked_from_id = s.id, settings = p.settings || ${LEVELS} || '{"import_status":"scheduled"}',
    description = case when $3 then p.description else s.description end
  from projects s where p.id = $1 and s.id = $2`;

/**
 * Returns a row if a group above the source prevents forks outside of itself, and the fork would be outside.
 * Free plans do not have this setting.
 */
const LEAVES_GROUP = `select 1 from projects s join namespaces sn on sn.id = s.namespace_id
    join projects f on f.id = $1 join namespaces fn on fn.id = f.namespace_id
    join namespaces g on g.id = any(sn.traversal_ids) and g.settings->'prevent_forking_outside_group' = 'true' and g.id <> all(fn.traversal_ids)
  where s.id = $2 and (select license_plan <> 'free' from application_settings where id = 1) limit 1`;

/** Creates forks of projects. */
@Injectable()
export class ForksService {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly creation: CreateProject,
    private readonly namespaces: NamespacesQueries,
    private readonly jobs: Jobs,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Forks the caller's project and returns the id of the fork; a job copies the code. @throws 400, 403, 404,
   * 409; 503 if the source repository is missing on disk
   */
  async fork(caller: UserCaller & ProjectCaller, params: ForkProjectParams): Promise<number> {
    const source = caller.subject;
    const level = source.settings['forking_access_level'] ?? 'enabled';
    if (level === 'disabled' || (level === 'private' && caller.role < Role.Guest)) throw forbidden();
    const wanted = params.namespace_id ?? params.namespace_path ?? params.namespace;
    const target = wanted === undefined ? null : await this.namespaces.findOrNull(caller.actor, wanted);
    if (wanted !== undefined && !target) throw notFound('Target Namespace');
    const cap = target?.type === 'Group' ? target.visibility : null;
    const visibility = cappedVisibility(params.visibility ?? source.visibility, source.visibility);
    await this.repositories.openOrNull(projectRepository(source.id));
    const attributes = Object.assign(new CreateProjectParams(), {
      name: params.name ?? source.name,
      path: params.path ?? source.path,
      visibility: cappedVisibility(visibility, cap),
      ...(target ? { namespace_id: String(target.id) } : {}),
      ...(source.defaultBranch === null ? {} : { default_branch: source.defaultBranch }),
      ...(params.description === undefined ? {} : { description: params.description }),
    });
    const also = async (tx: Tx, id: number): Promise<void> => {
      // Its visibility may have been lowered since it was read. From here on, lowering it waits, and then
      // sees the fork.
      await tx.query('select 1 from projects where id = $1 for share', [source.id]);
      if ((await tx.query<unknown[]>(LEAVES_GROUP, [id, source.id])).length > 0) throw forbidden();
      await tx.query(MARK, [id, source.id, params.description !== undefined]);
      await narrowForks(tx, this.audit, caller.actor, [source.id]);
      await this.jobs.enqueue(tx, CopyForkJob, { projectId: id });
    };
    return this.creation.create(caller, attributes, also).catch((error: unknown) => {
      throw asConflict(error);
    });
  }
}

/** v4 clients expect a conflict here if the name or path is taken. */
function asConflict(error: unknown): unknown {
  if (!(error instanceof HttpError) || error.status !== 400) return error;
  return JSON.stringify(error.body).includes('has already been taken')
    ? new HttpError(409, error.body)
    : error;
}
