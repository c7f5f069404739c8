import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { forbidden, invalid, notFound } from '#kernel/http/errors.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { MovedOutOfGroups } from '#core/groups/transfer/moved-out-of-groups.event.js';
import { NamespacesQueries, type NamespaceTarget } from '#core/groups/namespaces/namespaces.queries.js';
import { NamespacesService } from '#core/groups/namespaces/namespaces.service.js';
import { onceMoreIfTaken, ProjectRules } from '../project.rules.js';
import { cappedVisibility } from '../project-values.js';
import { assertBelowLimit } from './personal-projects.limit.js';
import { ProjectService } from '../project.service.js';

/** Transfers projects to other namespaces. */
@Injectable()
export class TransferProject {
  constructor(
    private readonly transactions: Transactions,
    private readonly namespaceQueries: NamespacesQueries,
    private readonly namespaces: NamespacesService,
    private readonly writes: ProjectService,
    private readonly rules: ProjectRules,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Transfers a project; the former path redirects. In a group, its visibility is limited to that of the
   * group. @throws 404, 403, 400
   */
  async run(id: number, actor: Actor, namespace: number | string): Promise<void> {
    const target = await this.namespaceQueries.find(actor, namespace);
    // It brings its own members and protections, and its jobs get the protected variables of the groups above.
    if (target.type === 'Group' && target.role < Role.Maintainer) throw forbidden();
    this.rules.assertMayCreate(target);
    await onceMoreIfTaken(() => this.transactions.run((tx) => this.move(tx, id, actor, target)));
  }

  private async move(tx: Tx, id: number, actor: Actor, target: NamespaceTarget): Promise<void> {
    const namespace = await this.namespaces.findForContent(tx, target.id);
    if (!namespace) throw notFound('Namespace');
    const { project, namespace: former } = await this.writes.lockWithNamespace(tx, id, true);
    if (project.namespaceId === namespace.id)
      throw invalid({ namespace: ['is the present one: choose another namespace'] });
    if (namespace.ownerId !== null && !actor.admin)
      await assertBelowLimit(tx, namespace.ownerId, namespace.id);
    await this.rules.assertFree(tx, namespace.id, project.name, project.path, project.id);
    const from = project.fullPath;
    const { visibility } = project;
    project.visibility = cappedVisibility(
      visibility,
      namespace.type === 'Group' ? namespace.visibility : null,
    );
    await this.writes.place(tx, project, namespace);
    await tx.save(project);
    const left = former.traversalIds.filter((one) => !namespace.traversalIds.includes(one));
    await this.events.publish(tx, new MovedOutOfGroups({ type: 'Project', id }, left));
    await this.writes.record(tx, actor, project, { change: 'namespace', from, to: project.fullPath });
    if (visibility !== project.visibility) {
      const change = { change: 'visibility_level', from: visibility, to: project.visibility };
      await this.writes.record(tx, actor, project, change);
      await this.writes.narrowForks(tx, actor, project);
    }
    const moved = { type: 'Project', id, iid: null, title: project.fullName } as const;
    const container = { projectId: id, groupId: null };
    await this.events.publish(tx, new ActivityHappened('moved', actor.id, container, moved));
  }
}
