import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { READS_MAIL } from '#core/members/sql/managers.sql.js';
import { mailsOffSql } from '#core/projects/settings/mails-off.sql.js';
import { publicJobsSql } from '#core/projects/settings/public-jobs.sql.js';
import { candidateParts, FOLLOWERS } from './candidate-parts.js';
import type { NotificationContainer, SettingRow } from './effective-setting.js';
import type { NotifiableEvent } from './notifiable-event.js';
import type { FoundCandidate, MailUser } from './recipient-rules.js';

/** Project or group of an event, and whether it is an internal comment. */
export interface EventScene {
  readonly groups: readonly number[];
  readonly internal: boolean;
}

const IS_FOLLOWER = `with given as not materialized (select $2::bigint as project, $3::bigint[] as groups)
  select exists (select 1 from (${FOLLOWERS}) f where f.user_id = $1) as "isFollower"`;

const SCENE = `select coalesce(
    (select n.traversal_ids from projects p join namespaces n on n.id = p.namespace_id where p.id = $1),
    (select n.traversal_ids from namespaces n where n.id = $2), '{}') as groups,
  coalesce((select n.internal from notes n where n.id = $3), false) as internal`;

const GIVEN = `with given as not materialized (select $1::bigint as target, $2::bigint as project, $3::bigint[] as groups,
  $4::bigint as note, $5::bigint[] as removed, $6::bigint[] as mentioned, $7::bigint[] as labels)`;

const USERS = `select u.id, u.email, coalesce(s.own, false) as own, s.settings,
    coalesce((select bool_or(not x.subscribed) from subscriptions x
      where x.target_type = $4 and x.target_id = $5 and x.user_id = u.id), false) as unsubscribed
  from users u left join lateral (
    select bool_or(s.notified_of_own_activity) as own, json_agg(json_build_object('type', s.source_type, 'id', s.source_id,
      'level', s.level, 'events', s.events, 'email', s.notification_email)) as settings
    from notification_settings s where s.user_id = u.id and (s.source_type is null
      or (s.source_type = 'Project' and s.source_id = $2) or (s.source_type = 'Namespace' and s.source_id = any($3)))) s on true
  where u.id = any($1) and ${READS_MAIL} and not ${mailsOffSql('$2::bigint', '$3::bigint[]')}`;

const MEMBERS = `select m.user_id from members m where m.source_type = $1 and m.source_id = $2 and m.user_id = any($3)
  and (m.expires_at is null or m.expires_at > current_date)`;

const PUBLIC_JOBS = `select ${publicJobsSql('p')} as "isPublic" from projects p where p.id = $1`;

interface UserRow {
  readonly id: number;
  readonly email: string;
  readonly own: boolean;
  readonly settings: readonly SettingRow[] | null;
  readonly unsubscribed: boolean;
}

/** Reads possible recipients, with one statement each for any number. */
@Injectable()
export class RecipientsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the container of an event. */
  async scene({ projectId, groupId, noteId }: NotifiableEvent): Promise<EventScene> {
    return this.database.always<EventScene>(SCENE, [projectId, groupId, noteId ?? null]);
  }

  /** Returns all candidates of an event, once per reason. */
  candidates(event: NotifiableEvent, groups: readonly number[]): Promise<FoundCandidate[]> {
    const parts = candidateParts(event.kind, event.target.type).map((part) => `(${part})`);
    const text = `${GIVEN} select user_id as "userId", type, reason from (${parts.join(' union ')}) c (user_id, type, reason)
      where user_id is not null`;
    return this.database.long<FoundCandidate>(text, [
      event.target.id,
      event.projectId,
      groups,
      event.noteId ?? null,
      event.removedUserIds ?? [],
      event.mentionedUserIds ?? [],
      event.labelIds ?? [],
    ]);
  }

  /** Returns whether a user is a member of a container, or has the level `global` for it. */
  async isFollower(userId: number, { projectId, groupIds }: NotificationContainer): Promise<boolean> {
    const row = await this.database.always<{ isFollower: boolean }>(IS_FOLLOWER, [
      userId,
      projectId,
      groupIds,
    ]);
    return row.isFollower;
  }

  /** Returns those of the users who are direct members of a group or project. */
  async membersAmong(
    { type, id }: NotifiableEvent['target'],
    userIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const values = [type === 'Project' ? 'Project' : 'Namespace', id, userIds];
    const rows = await this.database.long<{ user_id: number }>(MEMBERS, values);
    return new Set(rows.map(({ user_id: userId }) => userId));
  }

  /** Returns whether users below Reporter may read the pipelines of a project. */
  async hasPublicJobs(projectId: number): Promise<boolean> {
    return (await this.database.one<{ isPublic: boolean }>(PUBLIC_JOBS, [projectId]))?.isPublic === true;
  }

  /**
   * Returns those of the users who can receive mail (none if mails are disabled), with their settings for a
   * container and their subscription.
   */
  async mailUsers(
    ids: readonly number[],
    { projectId, groupIds }: NotificationContainer,
    target: { readonly type: string; readonly id: number | null },
  ): Promise<Map<number, MailUser>> {
    const values = [ids, projectId, groupIds, target.type, target.id];
    const rows = await this.database.long<UserRow>(USERS, values);
    return new Map(
      rows.map(({ id, email, own, settings, unsubscribed }) => [
        id,
        {
          id,
          email,
          notifiedOfOwnActivity: own,
          isUnsubscribed: unsubscribed,
          settings: settings ?? [],
        },
      ]),
    );
  }
}
