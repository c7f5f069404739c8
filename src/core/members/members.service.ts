import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { keptByAnotherSql } from '#core/users/owners.sql.js';
import { Member, type MemberSource } from './member.entity.js';

/** A membership to insert. */
export interface NewMember {
  readonly sourceType: MemberSource;
  readonly sourceId: number;
  readonly userId: number;
  readonly accessLevel: Role;
  readonly createdById: number | null;
  readonly expiresAt: string | null;
}

/** Group or project of an ended membership. */
export interface RemovedMembership {
  readonly sourceType: MemberSource;
  readonly sourceId: number;
  readonly path: string;
}

const REMOVE_BELOW = `with gone as (delete from members m where m.user_id = $2 and (
  (m.source_type = 'Namespace' and m.source_id in (
    select id from namespaces where traversal_ids @> array[$1::bigint] and id <> $1))
  or (m.source_type = 'Project' and m.source_id in (
    select p.id from projects p join namespaces n on n.id = p.namespace_id where n.traversal_ids @> array[$1::bigint]))) returning m.source_type, m.source_id)
  select g.source_type as "sourceType", g.source_id as "sourceId", coalesce(p.full_path, n.full_path) as path from gone g
    left join projects p on g.source_type = 'Project' and p.id = g.source_id
    left join namespaces n on g.source_type = 'Namespace' and n.id = g.source_id`;

const REMOVE_EXPIRED = `delete from members where source_type = $1 and source_id = $2 and user_id = $3 and expires_at <= current_date`;

/** Users who are already members, or have the same role by a group above, are skipped. */
const BRING = `with given as (select * from unnest($4::bigint[], $5::smallint[], $6::date[]) as given(user_id, access_level, expires_at))
  insert into members (source_type, source_id, user_id, access_level, created_by_id, expires_at)
  select $1::text, $2::bigint, g.user_id, g.access_level, $3::bigint, g.expires_at from given g
  where not exists (select from members m where m.source_type = 'Namespace' and m.source_id = any($7::bigint[])
    and m.user_id = g.user_id and m.access_level > g.access_level and (m.expires_at is null or m.expires_at > current_date))
  order by g.user_id on conflict do nothing
  returning user_id as "userId", access_level as "accessLevel", (select name from users where id = user_id)`;

const KEPT = `select 1 from namespaces n where n.id = $1 and ${keptByAnotherSql('0', 'n.traversal_ids')}`;

const MAKE_OWNER = `insert into members (source_type, source_id, user_id, access_level, created_by_id)
  select 'Namespace', $1, u.id, ${Role.Owner}, u.id from users u where u.id = $2 and u.user_type = 'human'
  on conflict (user_id, source_type, source_id) do update set access_level = ${Role.Owner}, expires_at = null, updated_at = now()
  returning id`;

/** An imported member. */
export type BroughtMember = Pick<NewMember, 'userId' | 'accessLevel' | 'expiresAt'>;

/** An imported member who was not one before, with the user's name. */
type AddedMember = Pick<NewMember, 'userId' | 'accessLevel'> & { readonly name: string };

/** Manages memberships of groups and projects. */
@Injectable()
export class MembersService {
  constructor(private readonly events: DomainEvents) {}

  /** Adds a member; a unique index prevents a second membership of the same user. */
  async add(tx: Tx, member: NewMember): Promise<Member> {
    const added = await tx.save(tx.create(Member, member));
    await this.tell(tx, 'joined', added);
    return added;
  }

  /**
   * Adds imported members without notifications; `inheritedIds`: groups whose members count there too.
   * Returns those added.
   */
  async bring(
    tx: Tx,
    { sourceType, sourceId, createdById }: Pick<NewMember, 'sourceType' | 'sourceId' | 'createdById'>,
    inheritedIds: readonly number[],
    members: readonly BroughtMember[],
  ): Promise<readonly AddedMember[]> {
    return tx.query<AddedMember[]>(BRING, [
      sourceType,
      sourceId,
      createdById,
      members.map(({ userId }) => userId),
      members.map(({ accessLevel }) => accessLevel),
      members.map(({ expiresAt }) => expiresAt),
      inheritedIds,
    ]);
  }

  /** Publishes that a user has joined or left a project, as that user; nothing for groups. */
  async tell(
    tx: Tx,
    action: 'joined' | 'left' | 'expired',
    { userId, sourceType, sourceId }: Pick<NewMember, 'userId' | 'sourceType' | 'sourceId'>,
  ): Promise<void> {
    if (sourceType !== 'Project') return;
    const container = { projectId: sourceId, groupId: null };
    await this.events.publish(tx, new ActivityHappened(action, userId, container, null));
  }

  /** Returns whether a group has an owner, by itself or a group above it. */
  async isKept(tx: Tx, groupId: number): Promise<boolean> {
    return (await tx.query<unknown[]>(KEPT, [groupId])).length > 0;
  }

  /** Makes a person an owner of a group without expiry; false for bots, which cannot be owners. */
  async makeOwner(tx: Tx, groupId: number, userId: number): Promise<boolean> {
    return (await tx.query<unknown[]>(MAKE_OWNER, [groupId, userId])).length > 0;
  }

  /** Removes all memberships of a group or project that is being removed. */
  async removeAll(tx: Tx, sourceType: MemberSource, sourceId: number): Promise<void> {
    await tx.delete(Member, { sourceType, sourceId });
  }

  /** Removes all memberships of a user. */
  async removeAllOf(tx: Tx, userId: number): Promise<void> {
    await tx.delete(Member, { userId });
  }

  /** Removes an expired membership, so that the user can be added again. */
  async removeExpired(tx: Tx, sourceType: MemberSource, sourceId: number, userId: number): Promise<void> {
    const [, removed] = await tx.query<[unknown, number]>(REMOVE_EXPIRED, [sourceType, sourceId, userId]);
    if (removed > 0) await this.tell(tx, 'expired', { sourceType, sourceId, userId });
  }

  /** Ends a user's memberships in all groups and projects below a group, and returns them. */
  async removeBelow(tx: Tx, groupId: number, userId: number): Promise<RemovedMembership[]> {
    return tx.query<RemovedMembership[]>(REMOVE_BELOW, [groupId, userId]);
  }
}
