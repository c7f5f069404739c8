import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectSubject } from '#kernel/access/caller.js';
import type { Role } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, conflict, forbidden, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { NamespacesQueries, type NamespaceTarget } from '#core/groups/namespaces/namespaces.queries.js';
import { assertFuture, levelName } from '#core/members/member-levels.js';
import type { ShareProjectParams } from '../projects.params.js';
import type { ProjectShareRecord } from './project-share.record.js';
import { ProjectService } from '../project.service.js';

/** Whether groups above a project disable sharing it, or limit it to their top-level group. */
const LOCKED = `select coalesce(bool_or((settings->>'share_with_group_lock')::boolean), false) as locked,
    coalesce(bool_or((settings->>'prevent_sharing_groups_outside_hierarchy')::boolean and parent_id is null), false) as closed
  from namespaces where id = any($1::bigint[])`;

const ADD = `insert into group_links (source_type, source_id, group_id, access_level, expires_at) values ('Project', $1, $2, $3, $4)
  on conflict do nothing returning id, source_id as project_id, group_id, access_level as group_access, expires_at`;

/** An expired share must not block a new one. */
const REMOVE_EXPIRED = `delete from group_links where source_type = 'Project' and source_id = $1 and group_id = $2 and expires_at <= current_date`;

const FIND = `select l.id, l.access_level, l.updated_at, g.full_path from group_links l join namespaces g on g.id = l.group_id
  where l.source_type = 'Project' and l.source_id = $1 and l.group_id = $2 for update of l`;

interface FoundShare {
  readonly id: number;
  readonly access_level: Role;
  readonly updated_at: Date;
  readonly full_path: string;
}

/** Shares projects with groups, whose members get a role in the project. */
@Injectable()
export class ProjectSharesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly namespaces: NamespacesQueries,
    private readonly writes: ProjectService,
  ) {}

  /**
   * Shares a project, with at most the caller's own role. @throws 403, 404, 409; 400 if the expiry is not in
   * the future, or a group above forbids sharing
   */
  async share(
    project: ProjectSubject,
    caller: UserCaller,
    params: ShareProjectParams,
  ): Promise<ProjectShareRecord> {
    const actor = caller.actor;
    assertFuture(params.expires_at);
    if (params.group_access > caller.role) throw forbidden();
    const group = await this.namespaces.findOrNull(actor, params.group_id);
    if (group?.type !== 'Group') throw notFound('Group');
    if (project.traversalIds.includes(group.id))
      throw conflict('Project cannot be shared with the group it is in or one of its ancestors.');
    return this.transactions.run(async (tx) => {
      const row = await this.writes.lock(tx, project.id);
      await this.assertShareable(tx, project, group);
      await tx.query(REMOVE_EXPIRED, [project.id, group.id]);
      const [link] = await tx.query<ProjectShareRecord[]>(ADD, [
        project.id,
        group.id,
        params.group_access,
        params.expires_at ?? null,
      ]);
      if (!link) throw conflict('The project is already shared with this group');
      const as = `${levelName(params.group_access)} for ${group.fullPath}`;
      await this.writes.record(tx, actor, row, { add: 'project_group_link', as });
      return link;
    });
  }

  /** Ends a share, of at most the caller's own role. @throws 403, 404 */
  async unshare(
    projectId: number,
    groupId: number,
    caller: UserCaller,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      const row = await this.writes.lock(tx, projectId);
      const [link] = await tx.query<FoundShare[]>(FIND, [projectId, groupId]);
      if (!link) throw notFound('Group Link');
      unmodified(link.updated_at);
      if (link.access_level > caller.role) throw forbidden();
      await tx.query('delete from group_links where id = $1', [link.id]);
      await this.writes.record(tx, caller.actor, row, {
        remove: `project_group_link: ${link.full_path}`,
      });
    });
  }

  /** As for groups, a group that may not be invited is reported as unknown. */
  private async assertShareable(
    tx: Tx,
    { traversalIds }: ProjectSubject,
    guest: NamespaceTarget,
  ): Promise<void> {
    const [row] = await tx.query<{ locked: boolean; closed: boolean }[]>(LOCKED, [traversalIds]);
    if (row?.closed && guest.traversalIds[0] !== traversalIds[0]) throw notFound('Group');
    if (row?.locked) throw badRequest('The project sharing with group is disabled');
  }
}
