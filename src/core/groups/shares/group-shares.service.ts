import { Injectable } from '@nestjs/common';
import type { UserCaller, GroupCaller, GroupSubject } from '#kernel/access/caller.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict, invalid, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService, type AuditChange } from '#core/audit/audit-log.service.js';
import { assertFuture, levelName } from '#core/members/member-levels.js';
import { groupSettings } from '../settings/group-settings.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { NamespacesQueries } from '../namespaces/namespaces.queries.js';
import type { ShareGroupParams } from '../groups.params.js';

interface Link {
  readonly id: number;
  readonly updated_at: Date;
}

/** Shares groups with other groups, whose members get a role in them. */
@Injectable()
export class GroupSharesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly queries: NamespacesQueries,
    private readonly audit: AuditLogService,
  ) {}

  /** Shares the group of the request. */
  async share(caller: UserCaller & GroupCaller, params: ShareGroupParams): Promise<void> {
    const group = caller.subject;
    assertFuture(params.expires_at);
    const guest = await this.queries.findOrNull(caller.actor, params.group_id);
    if (guest?.type !== 'Group') throw notFound('Group');
    if (guest.id === group.id) throw invalid({ group_id: ['is invalid'] });
    try {
      await this.transactions.run(async (tx) => {
        await this.assertInside(tx, group, guest.traversalIds);
        await this.insert(tx, group.id, params);
        const as = levelName(params.group_access);
        await this.record(tx, caller, guest.id, guest.fullPath, { add: 'group_link', as });
      });
    } catch (error) {
      if (violatedConstraint(error) !== 'group_links_source') throw error;
      throw conflict('The group has already been shared with this group');
    }
  }

  /** Ends the share with a group. */
  async unshare(caller: GroupCaller, guestId: number, unmodified: UnmodifiedCheck): Promise<void> {
    const group = caller.subject;
    await this.transactions.run(async (tx) => {
      const [link] = await tx.query<Link[]>(
        `select id, updated_at from group_links where source_type = 'Namespace' and source_id = $1 and group_id = $2 for update`,
        [group.id, guestId],
      );
      if (!link) throw notFound('Group Link');
      unmodified(link.updated_at);
      await tx.query('delete from group_links where id = $1', [link.id]);
      const guest = await tx.findOneBy(Namespace, { id: guestId });
      await this.record(tx, caller, guestId, guest?.fullPath ?? '', { remove: 'group_link' });
    });
  }

  /** A top-level group may forbid sharing outside of its tree. */
  private async assertInside(tx: Tx, group: GroupSubject, guest: readonly number[]): Promise<void> {
    const [rootId] = group.traversalIds;
    const root = await tx.findOneBy(Namespace, { id: rootId ?? group.id });
    const { prevent_sharing_groups_outside_hierarchy: isClosed } = groupSettings(root?.settings ?? {});
    if (isClosed && guest[0] !== rootId) throw notFound('Group');
  }

  private async insert(tx: Tx, groupId: number, params: ShareGroupParams): Promise<void> {
    const { group_id: guestId, group_access: level, expires_at: expiresAt = null } = params;
    await tx.query(
      `delete from group_links where source_type = 'Namespace' and source_id = $1 and group_id = $2 and expires_at <= current_date`,
      [groupId, guestId],
    );
    await tx.query(
      `insert into group_links (source_type, source_id, group_id, access_level, expires_at) values ('Namespace', $1, $2, $3, $4)`,
      [groupId, guestId, level, expiresAt],
    );
  }

  private async record(
    tx: Tx,
    { actor, subject }: GroupCaller,
    guestId: number,
    guestPath: string,
    change: AuditChange,
  ): Promise<void> {
    const { id, fullPath } = subject;
    const target = { type: 'Group', id: guestId, details: guestPath };
    await this.audit.record(tx, actor, { type: 'Group', id, path: fullPath }, target, change);
  }
}
