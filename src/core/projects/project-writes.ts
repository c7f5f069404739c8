import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Conflict, NotFound } from '#kernel/http/errors.js';
import { AuditLog, type AuditChange } from '#core/audit/audit-log.js';
import type { Namespace } from '#core/groups/namespace.entity.js';
import { NamespacesService } from '#core/groups/namespaces.service.js';
import { Routes } from '#core/groups/routes.js';
import { pathTaken } from './project-rules.js';
import { Project } from './project.entity.js';

/** Steps that the changes of a project share. */
@Injectable()
export class ProjectWrites {
  constructor(
    private readonly namespaces: NamespacesService,
    private readonly routes: Routes,
    private readonly audit: AuditLog,
  ) {}

  /** The project, locked until the end of `tx`. @throws 404 */
  async lock(tx: Tx, id: number): Promise<Project> {
    const project = await tx.findOne(Project, {
      where: { id, pendingDelete: false },
      lock: { mode: 'for_no_key_update' },
    });
    if (!project) throw NotFound('Project');
    return project;
  }

  /**
   * The project with its namespace, locked in the order in which a move of the namespace locks them. @throws 404; 409 when it is
   * being moved away
   */
  async lockWithNamespace(tx: Tx, id: number): Promise<{ project: Project; namespace: Namespace }> {
    const [row] = await tx.query<{ namespace_id: number }[]>(
      'select namespace_id from projects where id = $1',
      [id],
    );
    const namespace = row ? await this.namespaces.findForContent(tx, row.namespace_id) : null;
    if (!namespace) throw NotFound('Project');
    const project = await this.lock(tx, id);
    if (project.namespaceId !== namespace.id) throw Conflict('409 Conflict: Resource lock');
    return { project, namespace };
  }

  /** Gives a project its path and name below a namespace; the former path redirects from now on. The caller saves the row. */
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

  /** Records a change of a project. */
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
