import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { OWNED_ALONE } from '#core/users/owners.sql.js';
import { MembersService } from '#core/members/members.service.js';
import { UsersService } from '#core/users/users.service.js';
import { DeleteGroupJob } from './delete-group.job.js';
import { GroupDeleted } from './group-deleted.event.js';
import { GroupProjectsPort } from '../group-projects.port.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { NamespaceTreeService } from '../namespaces/namespace-tree.service.js';

const PROJECTS_BELOW = `select p.id from projects p join namespaces n on n.id = p.namespace_id where n.traversal_ids @> array[$1::bigint]`;

const RELEASE = `delete from routes where (source_type = 'Project' and source_id in (${PROJECTS_BELOW}))
  or (source_type = 'Namespace' and source_id in (select id from namespaces where traversal_ids @> array[$1::bigint]))`;

/** Hides namespaces and removes their rows. */
@Injectable()
export class PurgeNamespaceService {
  constructor(
    private readonly tree: NamespaceTreeService,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly projects: GroupProjectsPort,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  /** Hides a namespace with everything below and frees the paths, with effect from the commit. */
  async hide(tx: Tx, namespaceId: number): Promise<void> {
    await this.tree.lock(tx);
    await this.hideRows(tx, namespaceId);
  }

  /** Hides a group and enqueues its removal. */
  async schedule(tx: Tx, groupId: number): Promise<void> {
    await this.hide(tx, groupId);
    await this.jobs.enqueue(tx, DeleteGroupJob, { groupId });
  }

  /** Returns the next projects to remove below a hidden namespace. */
  async nextProjects(tx: Tx, namespaceId: number, limit: number): Promise<number[]> {
    const rows = await tx.query<{ id: number }[]>(
      `${PROJECTS_BELOW} order by p.id limit $2 for update of p`,
      [namespaceId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Removes some projects below a hidden namespace; false if none were left. */
  async removeSomeProjects(tx: Tx, namespaceId: number, limit: number): Promise<boolean> {
    const ids = await this.nextProjects(tx, namespaceId, limit);
    await this.projects.remove(tx, ids);
    return ids.length > 0;
  }

  /** Removes the deepest group without projects of a hidden tree; false if the tree no longer exists. */
  async removeDeepestGroup(tx: Tx, groupId: number): Promise<boolean> {
    const [deepest] = await tx.query<{ id: number }[]>(
      `select id from namespaces where traversal_ids @> array[$1::bigint] and type = 'Group'
       order by cardinality(traversal_ids) desc, id limit 1 for update`,
      [groupId],
    );
    if (!deepest) return false;
    await this.removeRow(tx, deepest.id);
    return true;
  }

  /** Removes a user's namespace with its projects, all in `tx`. */
  async removeUserNamespace(tx: Tx, userId: number): Promise<void> {
    const namespace = await tx.findOneBy(Namespace, { ownerId: userId });
    if (!namespace) return;
    await this.hideRows(tx, namespace.id);
    while (await this.removeSomeProjects(tx, namespace.id, 100));
    await this.removeRow(tx, namespace.id);
  }

  /** Enqueues the removal of the groups of which the user is the only owner. */
  async removeOwnedGroups(tx: Tx, userId: number): Promise<void> {
    for (const { id } of await tx.query<{ id: number }[]>(OWNED_ALONE, [userId])) await this.schedule(tx, id);
  }

  /** Hides a namespace without subgroups. */
  private async hideRows(tx: Tx, namespaceId: number): Promise<void> {
    await this.tree.lockRows(tx, namespaceId);
    await tx.query(RELEASE, [namespaceId]);
    await tx.query(
      `update projects set pending_delete = true, updated_at = now() where id in (${PROJECTS_BELOW})`,
      [namespaceId],
    );
    await tx.query(
      'update namespaces set pending_delete = true, updated_at = now() where traversal_ids @> array[$1::bigint]',
      [namespaceId],
    );
  }

  private async removeRow(tx: Tx, id: number): Promise<void> {
    const bots = await tx.query<{ id: number }[]>(
      `select id from users where bot_source_type = 'Namespace' and bot_source_id = $1 and not pending_delete order by id`,
      [id],
    );
    for (const bot of bots) await this.users.removeBot(tx, bot.id);
    await this.events.publish(tx, new GroupDeleted(id));
    await this.members.removeAll(tx, 'Namespace', id);
    for (const table of ['group_links', 'deploy_tokens', 'routes'])
      await tx.query(`delete from ${table} where source_type = 'Namespace' and source_id = $1`, [id]);
    await tx.delete(Namespace, { id });
  }
}
