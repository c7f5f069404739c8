import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import type { UserBasicRow } from '../records/user-basic.record.js';
import type { UserRow } from '../records/user.row.js';
import { followsSql } from '../records/follows.sql.js';
import { userColumns } from '../records/user-basic.sql.js';

const columns = (
  reader: string,
): string => `${userColumns('u')}, u.email, u.user_type, u.admin, u.external, u.confirmed_at, u.public_email,
  u.commit_email, u.bio, u.location, u.skype, u.linkedin, u.twitter, u.discord, u.website_url, u.organization, u.job_title,
  u.pronouns, u.note, u.private_profile, u.theme_id, u.color_scheme_id, u.projects_limit, u.can_create_group,
  u.two_factor_enabled, u.identities, u.status, u.sign_in_count, u.current_sign_in_at, u.last_sign_in_at,
  u.current_sign_in_ip, u.last_sign_in_ip, u.last_activity_on, u.created_at, n.id as namespace_id,
  ${userColumns('c', 'creator_')},
  v.follower_id is not null as is_followed,
  ${followsSql('u', 'followers', reader)} as followers, ${followsSql('u', 'following', reader)} as following,
  (select count(*) from projects p where p.namespace_id = n.id) as owned_projects,
  coalesce((select max(m.access_level) from members m
    where m.user_id = u.id and (m.expires_at is null or m.expires_at > current_date)), 0) as highest_role`;

const FROM = `users u left join namespaces n on n.owner_id = u.id left join users c on c.id = u.created_by_id`;

const FOLLOWED = 'left join user_follows v on v.followee_id = u.id and v.follower_id =';

/** Users themselves and administrators see all followers; others see of private profiles only their own. */
const READER = `u.id = $2 or fu.id = $2 or (select a.admin from users a where a.id = $2)`;

const FIND = `select ${columns(READER)} from ${FROM} ${FOLLOWED} $2 where not u.pending_delete and`;

const FULL: ListShape = {
  kind: 'User',
  select: columns('true'),
  from: FROM,
  countFrom: 'users u',
  key: 'u.id',
};
const BASIC: ListShape = {
  kind: 'User',
  select: userColumns('u'),
  from: 'users u',
  key: 'u.id',
};

const OWNER = 'select u.id, u.private_profile from users u where not u.pending_delete and';

/** Condition of a user with an id or username. One text for both would read all users. */
const named = (idOrUsername: string): string =>
  /^\d{1,15}$/.test(idOrUsername) ? 'u.id = $1::bigint' : 'lower(u.username) = lower($1)';

/** Reads users for the API. */
@Injectable()
export class UsersQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns a user as seen by `viewerId`. @throws 404 */
  async find(id: number, viewerId: number | null): Promise<UserRow> {
    return found(await this.database.one<UserRow>(`${FIND} u.id = $1`, [id, viewerId]));
  }

  /** Returns a user by id or username. @throws 404 */
  async findNamed(idOrUsername: string, viewerId: number | null): Promise<UserRow> {
    return found(
      await this.database.one<UserRow>(`${FIND} ${named(idOrUsername)}`, [idOrUsername, viewerId]),
    );
  }

  /** Returns whose lists are read, by id or username, and whether that profile is private. @throws 404 */
  async findOwner(idOrUsername: string): Promise<{ readonly id: number; readonly private_profile: boolean }> {
    return found(await this.database.one(`${OWNER} ${named(idOrUsername)}`, [idOrUsername]));
  }

  /** Lists users with all attributes for administrators. */
  fullList(viewerId: number): ListQuery<UserRow> {
    return new ListQuery<UserRow>(FULL).join(`${FOLLOWED} ?`, viewerId).where('not u.pending_delete');
  }

  /** Lists users in short form. */
  basicList(): ListQuery<UserBasicRow> {
    return new ListQuery<UserBasicRow>(BASIC).where('not u.pending_delete');
  }
}

function found<Row extends object>(row: Row | null): Row {
  if (!row) throw notFound('User');
  return row;
}
