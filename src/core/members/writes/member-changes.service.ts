import { Injectable } from '@nestjs/common';
import type { Caller, SubjectCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { differs } from '#kernel/database/base.entity.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { assertFuture, assertLevel, levelName } from '../member-levels.js';
import { memberContainer, scopeOf, type MemberContainer } from '../member-container.js';
import { MemberRemoved } from '../member-removed.event.js';
import { MembershipChanged } from '../membership-changed.event.js';
import { MemberRulesService } from './member-rules.service.js';
import { Member } from '../member.entity.js';
import type { RemoveMemberParams, UpdateMemberParams } from '../members.params.js';
import { MembersService, type RemovedMembership } from '../members.service.js';

/** Updates and ends memberships (`auth-core.md` 6.5). */
@Injectable()
export class MemberChangesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly members: MembersService,
    private readonly rules: MemberRulesService,
    private readonly events: DomainEvents,
    private readonly audit: AuditLogService,
  ) {}

  /** Changes the role or expiry of a member. */
  async update(caller: SubjectCaller, params: UpdateMemberParams): Promise<void> {
    const { user_id: userId, access_level: level, expires_at: expiresAt } = params;
    const container = memberContainer(caller);
    assertLevel(level, container.kind === 'Group' && caller.tier >= Tier.Premium);
    assertFuture(expiresAt);
    if (level > caller.role) throw forbidden();
    await this.transactions.run(async (tx) => {
      const member = await this.findLocked(tx, container, userId);
      if (member.accessLevel > caller.role) throw forbidden();
      await this.rules.assertNotBelowInherited(tx, container, userId, level);
      // An owner whose membership expires does not count as an owner that remains.
      const keeps = level === Role.Owner && (expiresAt === undefined || expiresAt === null);
      if (member.accessLevel === Role.Owner && !keeps)
        await this.rules.assertAnotherOwner(tx, container, userId);
      await this.recordChange(tx, caller, member, params);
      const values = { accessLevel: level, ...(expiresAt === undefined ? {} : { expiresAt }) };
      if (differs(member, values)) await tx.update(Member, { id: member.id }, values);
      if (member.accessLevel === level) return;
      const membership = {
        userId,
        sourceType: container.type,
        sourceId: container.id,
        accessLevel: level,
        expiresAt: expiresAt === undefined ? member.expiresAt : expiresAt,
      };
      await this.events.publish(tx, new MembershipChanged('changed', membership, caller.actor?.id ?? null));
    });
  }

  /** Ends a membership and, unless declined, those further down; all members may leave. */
  async remove(
    caller: SubjectCaller,
    params: RemoveMemberParams,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    const { user_id: userId } = params;
    const container = memberContainer(caller);
    const manager = container.kind === 'Group' ? Role.Owner : Role.Maintainer;
    const isOwn = caller.actor?.id === userId;
    if (caller.role < manager && !isOwn) throw forbidden();
    await this.transactions.run(async (tx) => {
      const member = await this.findLocked(tx, container, userId);
      unmodified(member.updatedAt);
      if (!isOwn && member.accessLevel > caller.role) throw forbidden();
      if (member.accessLevel === Role.Owner) await this.rules.assertAnotherOwner(tx, container, userId);
      await tx.delete(Member, { id: member.id });
      const { type: sourceType, id: sourceId, fullPath: path } = container;
      const isDeep = container.kind === 'Group' && params.skip_subresources !== true;
      const below = isDeep ? await this.members.removeBelow(tx, container.id, userId) : [];
      await this.tellRemoved(tx, caller, params, [{ sourceType, sourceId, path }, ...below]);
    });
  }

  /** Returns a direct membership, locked. @throws 404, and 403 for the owner of the namespace of a project */
  private async findLocked(tx: Tx, container: MemberContainer, userId: number): Promise<Member> {
    await this.rules.lock(tx, container);
    if (await this.rules.isPersonalOwner(tx, container, userId)) throw forbidden();
    const member = await tx.findOne(Member, {
      where: { sourceType: container.type, sourceId: container.id, userId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!member || isExpired(member)) throw notFound('Member');
    return member;
  }

  private async recordChange(
    tx: Tx,
    caller: SubjectCaller,
    member: Member,
    params: UpdateMemberParams,
  ): Promise<void> {
    const { access_level: level, expires_at: expiresAt } = params;
    const former: number = member.accessLevel;
    const changes = [
      ...(former === level
        ? []
        : [{ change: 'access_level', from: levelName(former), to: levelName(level) }]),
      ...(expiresAt === undefined || expiresAt === member.expiresAt
        ? []
        : [{ change: 'expires_at', from: member.expiresAt, to: expiresAt }]),
    ];
    const target = await this.target(tx, member.userId);
    for (const change of changes)
      await this.audit.record(tx, caller.actor, scopeOf(memberContainer(caller)), target, change);
  }

  private async tellRemoved(
    tx: Tx,
    { actor }: Caller,
    { user_id: userId, unassign_issuables: unassigns = false }: RemoveMemberParams,
    removed: readonly RemovedMembership[],
  ): Promise<void> {
    const target = await this.target(tx, userId);
    for (const { sourceType, sourceId, path } of removed) {
      const type = sourceType === 'Project' ? 'Project' : 'Group';
      await this.audit.record(tx, actor, { type, id: sourceId, path }, target, { remove: 'user_access' });
      await this.events.publish(tx, new MemberRemoved(userId, sourceType, sourceId, unassigns));
      await this.members.tell(tx, 'left', { userId, sourceType, sourceId });
    }
  }

  private async target(tx: Tx, id: number): Promise<{ type: string; id: number; details: string }> {
    const [user] = await tx.query<{ name: string }[]>('select name from users where id = $1', [id]);
    return { type: 'User', id, details: user?.name ?? '' };
  }
}

const isExpired = ({ expiresAt }: Member): boolean =>
  expiresAt !== null && expiresAt <= new Date().toISOString().slice(0, 10);
