import { Injectable } from '@nestjs/common';
import type { UserCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { levelName } from '#core/members/member-levels.js';
import { MembersService } from '#core/members/members.service.js';
import { transferFailed } from '../group-problems.js';
import { GroupsService } from '../groups.service.js';
import { GroupRules, isWider, MAX_DEPTH } from '../group.rules.js';
import { MovedOutOfGroups } from './moved-out-of-groups.event.js';
import type { Namespace } from '../namespaces/namespace.entity.js';
import { NamespaceTreeService } from '../namespaces/namespace-tree.service.js';
import { narrowForks } from '../narrow-forks.js';
import { NamespacesQueries } from '../namespaces/namespaces.queries.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';

const TAKEN = 'The parent group already has a subgroup or a project with the same path.';
const HEIGHT = `select max(cardinality(traversal_ids)) - $2::int as height from namespaces where traversal_ids @> array[$1::bigint]`;

/** Content of a group must not be more visible than the group. */
const NARROW = (['namespaces', 'projects'] as const).map(
  (
    table,
  ) => `update ${table} t set visibility = $2, updated_at = ${STATEMENT_TIME} where t.visibility = any($3) and
    ${table === 'projects' ? 't.namespace_id' : 't.id'} in (select id from namespaces where traversal_ids @> array[$1::bigint])`,
);

const SOURCES_BELOW = `select p.id from projects p where p.namespace_id in (select id from namespaces where traversal_ids @> array[$1::bigint])
  and exists (select 1 from projects f where f.forked_from_id = p.id)`;

/** Moves a group with everything below into another group or to the top level. */
@Injectable()
export class TransferGroup {
  constructor(
    private readonly transactions: Transactions,
    private readonly groups: GroupsService,
    private readonly queries: NamespacesQueries,
    private readonly namespaces: NamespacesService,
    private readonly tree: NamespaceTreeService,
    private readonly rules: GroupRules,
    private readonly members: MembersService,
    private readonly audit: AuditLogService,
    private readonly events: DomainEvents,
  ) {}

  /** Moves a group; null for the top level. @throws 404, 403, and 400 with the reason */
  async run(caller: UserCaller, groupId: number, parentId: number | null): Promise<void> {
    const actor = caller.actor;
    await this.assertMayTransferTo(actor, parentId);
    try {
      await this.transactions.run((tx) => this.move(tx, actor, groupId, parentId));
    } catch (error) {
      if (violatedConstraint(error) === 'namespaces_parent_name') throw transferFailed(TAKEN);
      throw error;
    }
  }

  private async assertMayTransferTo(actor: Actor, parentId: number | null): Promise<void> {
    if (parentId === null) return;
    const target = await this.queries.findOrNull(actor, parentId);
    if (target?.type !== 'Group') throw notFound('Group');
    this.rules.assertMayCreateIn(target.settings, target.role);
  }

  private async move(tx: Tx, actor: Actor, groupId: number, parentId: number | null): Promise<void> {
    await this.tree.lock(tx);
    const group = await this.groups.findLocked(tx, groupId);
    const parent = parentId === null ? null : await this.namespaces.findForContent(tx, parentId);
    if (parentId !== null && parent?.type !== 'Group') throw notFound('Group');
    if (!parent) await this.rules.assertMayCreateAtTop(tx, actor);
    await this.assertPossible(tx, group, parent);
    const above = new Set(parent?.traversalIds);
    const left = group.traversalIds.filter((one) => one !== group.id && !above.has(one));
    const moved = await this.tree.relocate(tx, group, { name: group.name, path: group.path, parent });
    if (!moved) throw transferFailed(TAKEN);
    if (parent && isWider(group.visibility, parent.visibility)) await this.narrow(tx, actor, group, parent);
    await this.events.publish(tx, new MovedOutOfGroups({ type: 'Group', id: group.id }, left));
    const fullPath = parent ? `${parent.fullPath}/${group.path}` : group.path;
    const scope = { type: 'Group', id: group.id, path: fullPath } as const;
    const target = { type: 'Group', id: group.id, details: fullPath };
    await this.audit.record(tx, actor, scope, target, {
      change: 'namespace',
      from: group.fullPath,
      to: fullPath,
    });
    await this.keep(tx, actor, scope);
  }

  /**
   * A group that moves loses the owners of the groups above; if no other owner remains, the user who moves it
   * becomes its owner.
   */
  private async keep(
    tx: Tx,
    actor: Actor,
    scope: { type: 'Group'; id: number; path: string },
  ): Promise<void> {
    if (await this.members.isKept(tx, scope.id)) return;
    if (!(await this.members.makeOwner(tx, scope.id, actor.id))) return;
    const target = { type: 'User', id: actor.id, details: actor.name };
    const as = levelName(Role.Owner);
    await this.audit.record(tx, actor, scope, target, { add: 'user_access', as });
  }

  private async assertPossible(tx: Tx, group: Namespace, parent: Namespace | null): Promise<void> {
    if (parent?.traversalIds.includes(group.id))
      throw transferFailed('Cannot transfer group to one of its subgroup.');
    if (group.parentId === (parent?.id ?? null)) {
      throw transferFailed(
        parent ? 'Group is already associated to the parent group.' : 'Group is already a root group.',
      );
    }
    const [below] = await tx.query<{ height: number }[]>(HEIGHT, [group.id, group.traversalIds.length - 1]);
    if ((parent?.traversalIds.length ?? 0) + Number(below?.height) > MAX_DEPTH)
      throw transferFailed('The group would be nested too deep.');
  }

  private async narrow(tx: Tx, actor: Actor, group: Namespace, parent: Namespace): Promise<void> {
    const wider = (['internal', 'public'] as const).filter((one) => isWider(one, parent.visibility));
    for (const text of NARROW) await tx.query(text, [group.id, parent.visibility, wider]);
    const sources = await tx.query<{ id: number }[]>(SOURCES_BELOW, [group.id]);
    await narrowForks(
      tx,
      this.audit,
      actor,
      sources.map(({ id }) => id),
    );
    const scope = { type: 'Group', id: group.id, path: group.fullPath } as const;
    const target = { type: 'Group', id: group.id, details: group.fullPath };
    const change = { change: 'visibility', from: group.visibility, to: parent.visibility };
    await this.audit.record(tx, actor, scope, target, change);
  }
}
