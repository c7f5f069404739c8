import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { TOKEN_UNUSED } from '#core/tokens/token-state.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import type { UserBasicRow } from '#core/users/records/user-basic.record.js';

/** A group with a direct membership of the user. */
export interface DirectGroup {
  readonly path: string;
  readonly level: number;
}

/** Data of claims, read in one statement: an address and its confirmation must be consistent. */
export interface ClaimedUser extends Omit<UserBasicRow, 'state'> {
  readonly website_url: string;
  readonly email: string;
  readonly email_confirmed: boolean;
  readonly public_email: string;
  readonly public_email_confirmed: boolean;
  readonly direct_groups: readonly DirectGroup[];
}

/** Data of userinfo: the user with the token of the request. */
export interface UserinfoRow extends ClaimedUser {
  readonly token_id: number;
  /** Whether the use of the token is due to be recorded. */
  readonly is_unnoted: boolean;
  readonly scopes: readonly string[];
  readonly token_state: 'alive' | 'expired' | 'revoked';
  /** Whether the account is usable: active, and its password need not be changed first. */
  readonly is_active: boolean;
  /** Full paths of all groups in reach of the memberships, including subgroups. */
  readonly groups: readonly string[];
}

/** A secondary address has its own confirmation, the primary one that of the account. */
const COLUMNS = `u.id, u.username, u.name, u.avatar, u.website_url, u.email, u.confirmed_at is not null as email_confirmed, u.public_email,
  case when lower(u.public_email) = lower(u.email) then u.confirmed_at is not null
    else exists (select 1 from user_emails e
      where e.user_id = u.id and lower(e.email) = lower(u.public_email) and e.confirmed_at is not null)
  end as public_email_confirmed,
  coalesce((select jsonb_agg(jsonb_build_object('path', d.full_path, 'level', d.level) order by d.full_path) from direct d),
    '[]') as direct_groups`;

const directGroups = (
  userId: string,
): string => `select g.id, g.full_path, m.access_level as level from members m
    join namespaces g on g.id = m.source_id and g.type = 'Group' and not g.pending_delete
    where m.user_id = ${userId} and m.source_type = 'Namespace' and m.access_level >= ${Role.Guest}
      and (m.expires_at is null or m.expires_at > current_date)`;

const FOR_ID_TOKEN = `with direct as materialized (${directGroups('$1')})
  select ${COLUMNS} from users u where u.id = $1 and not u.pending_delete`;

const FOR_USERINFO = `with token as materialized (select id, user_id, scopes,
    ${TOKEN_UNUSED} as is_unnoted,
    case when revoked_at is not null or refreshed_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'alive' end
      as token_state from oauth_tokens where digest = $1),
  direct as materialized (${directGroups('(select user_id from token)')})
  select t.id as token_id, t.is_unnoted, t.scopes, t.token_state,
    ${isActiveSql('u')} as is_active,
    array(select g.full_path from namespaces g where g.traversal_ids && (select array_agg(d.id) from direct d)
      and g.type = 'Group' and not g.pending_delete order by g.full_path) as groups,
    ${COLUMNS}
  from token t join users u on u.id = t.user_id and not u.pending_delete`;

/** Reads the data of claims, in one statement each. */
@Injectable()
export class ClaimsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Reads it for an id_token; null if there is no such user. */
  findOrNull(userId: number): Promise<ClaimedUser | null> {
    return this.database.one<ClaimedUser>(FOR_ID_TOKEN, [userId]);
  }

  /** Reads it for userinfo by an access token in any state; null if the token is unknown. */
  findByTokenOrNull(secret: string): Promise<UserinfoRow | null> {
    return this.database.one<UserinfoRow>(FOR_USERINFO, [digestToken(secret)]);
  }
}
