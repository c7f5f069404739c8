import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import { conflict, notFound } from '#kernel/http/errors.js';
import { AuditLogService, type AuditChange } from '#core/audit/audit-log.service.js';
import { narrowForks } from '#core/groups/narrow-forks.js';
import type { Namespace, Visibility } from '#core/groups/namespaces/namespace.entity.js';
import { NamespacesService } from '#core/groups/namespaces/namespaces.service.js';
import { RoutesService } from '#core/groups/namespaces/routes.service.js';
import { pathTaken } from './project.rules.js';
import { Project } from './project.entity.js';

/** A locked project with what determines where it may go. */
interface LockedProject {
  readonly project: Project;
  readonly namespace: Namespace;
  /** For a fork, the visibility of its source, which it must not exceed. */
  readonly forkCap: Visibility | null;
}

/** Lowering the visibility of the source waits for its forks, and then lowers them too. */
const SOURCE = 'select visibility from projects where id = $1::bigint and not pending_delete for share';

/** Steps that changes of projects share. */
@Injectable()
export class ProjectService {
  constructor(
    private readonly namespaces: NamespacesService,
    private readonly routes: RoutesService,
    private readonly audit: AuditLogService,
  ) {}

  /** Returns a project, locked until `tx` ends. @throws 404 */
  async lock(
    tx: Tx,
    id: number,
    mode: 'for_no_key_update' | 'pessimistic_write' = 'for_no_key_update',
  ): Promise<Project> {
    const project = await tx.findOne(Project, { where: { id, pendingDelete: false }, lock: { mode } });
    if (!project) throw notFound('Project');
    return project;
  }

  /**
   * Locks a project with its namespace, in the lock order of namespace moves; `toMove` waits for all holders
   * of its container (`holdContainer`). @throws 404; 409 if it is being moved
   */
  async lockWithNamespace(tx: Tx, id: number, toMove = false): Promise<LockedProject> {
    const [row] = await tx.query<{ namespace_id: number; forked_from_id: number | null }[]>(
      'select namespace_id, forked_from_id from projects where id = $1',
      [id],
    );
    const namespace = row ? await this.namespaces.findForContent(tx, row.namespace_id) : null;
    if (!namespace) throw notFound('Project');
    const forkedFrom = row?.forked_from_id ?? null;
    const [source] =
      forkedFrom === null ? [] : await tx.query<{ visibility: Visibility }[]>(SOURCE, [forkedFrom]);
    const project = await this.lock(tx, id, toMove ? 'pessimistic_write' : undefined);
    if (project.namespaceId !== namespace.id) throw conflict('409 Conflict: Resource lock');
    return { project, namespace, forkCap: source?.visibility ?? null };
  }

  /**
   * Sets the path and name of a project below a namespace; the former path becomes a redirect. The caller
   * saves the row.
   */
  async place(tx: Tx, project: Project, namespace: Namespace): Promise<void> {
    const fullPath = `${namespace.fullPath}/${project.path}`;
    const moves = fullPath !== project.fullPath;
    project.namespaceId = namespace.id;
    project.fullPath = fullPath;
    project.fullName = `${namespace.fullName} / ${project.name}`;
    if (!moves) return;
    await this.routes.retire(tx, 'Project', project.id);
    if (!(await this.routes.claim(tx, fullPath, 'Project', project.id))) throw pathTaken();
  }

  /** Limits the visibility of the forks after that of the project was lowered. */
  async narrowForks(tx: Tx, actor: Actor, { id }: Project): Promise<void> {
    await narrowForks(tx, this.audit, actor, [id]);
  }

  /** Audits a change of a project. */
  async record(tx: Tx, actor: Actor, project: Project, change: AuditChange): Promise<void> {
    const scope = { type: 'Project', id: project.id, path: project.fullPath } as const;
    await this.audit.record(
      tx,
      actor,
      scope,
      { type: 'Project', id: project.id, details: project.fullPath },
      change,
    );
  }
}
