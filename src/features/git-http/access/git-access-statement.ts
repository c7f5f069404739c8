import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import type { Role } from '#kernel/access/roles.js';
import { TOKEN_EXPIRED, TOKEN_UNUSED } from '#core/tokens/token-state.sql.js';
import { passwordExpiredSql } from '#core/users/active.sql.js';
import { actorColumns, type ActorRow } from '#core/users/records/actor.row.js';

/**
 * How a statement identifies the caller: not at all, by the digest of a secret, or by the id of an
 * authenticated user.
 */
export type CallerKey = 'none' | 'secret' | 'user';

/** The row that determines git access. Columns of what was not found are null. */
export interface GitAccessRow extends ActorRow<'o'> {
  readonly version: number;
  readonly cred_kind: 'personal' | 'oauth' | 'deploy' | null;
  readonly cred_id: number;
  readonly scopes: string[] | null;
  readonly impersonation: boolean;
  readonly useless: boolean;
  readonly unused: boolean;
  readonly deploy_username: string | null;
  readonly deploy_source_type: 'Project' | 'Namespace' | null;
  readonly deploy_source_id: number | null;
  readonly o_password_expired: boolean;
  readonly project_id: number | null;
  readonly group_id: number | null;
  readonly full_path: string;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly settings: Readonly<Record<string, unknown>>;
  readonly archived: boolean;
  readonly traversal_ids: number[];
  readonly by_old_path: boolean;
  readonly default_branch: string | null;
  readonly storage: string;
  readonly read_only: boolean;
  readonly repository_id: number | null;
  readonly size_bytes: number | null;
  readonly identity: string | null;
  readonly is_pushed: boolean;
  readonly role: Role;
}

/** The location of a secret tells its kind: none is in two tables. */
const SECRET = `(select 'personal' as kind, id, user_id, scopes, impersonation,
      revoked or ${TOKEN_EXPIRED} as useless, ${TOKEN_UNUSED} as unused,
      null::text as username, null::text as source_type, null::bigint as source_id
    from personal_access_tokens where digest = $1
  union all select 'oauth', id, user_id, scopes, false, revoked_at is not null or refreshed_at is not null or expires_at <= now(),
      ${TOKEN_UNUSED}, null, null, null from oauth_tokens where digest = $1
  union all select 'deploy', id, null, scopes, false, revoked or coalesce(expires_at <= now(), false), false,
      username, source_type, source_id from deploy_tokens where digest = $1
  limit 1)`;

const CREDENTIAL_COLUMNS = `c.kind as cred_kind, c.id as cred_id, c.scopes, c.impersonation, c.useless, c.unused,
  c.username as deploy_username, c.source_type as deploy_source_type, c.source_id as deploy_source_id`;

const USER_COLUMNS = `${actorColumns('o')}, ${passwordExpiredSql('o')} as o_password_expired`;

const texts: Record<CallerKey, string> = {
  none: build('none'),
  secret: build('secret'),
  user: build('user'),
};

/**
 * Finds caller, project or group, role and repository in one statement. Parameters: the identification of the
 * caller (not for `none`), the full path, and the kind of the repository.
 */
export const gitAccessStatement = (caller: CallerKey): string => texts[caller];

function build(caller: CallerKey): string {
  const [path, kind] = caller === 'none' ? ['$1', '$2'] : ['$2', '$3'];
  const actor = caller === 'none' ? 'null::bigint' : 'o.id';
  const columns = ['s.version'];
  const joins: string[] = [];
  if (caller === 'secret') {
    columns.push(CREDENTIAL_COLUMNS, USER_COLUMNS);
    joins.push(
      `left join ${SECRET} c on true`,
      'left join users o on o.id = c.user_id and not o.pending_delete',
    );
  } else if (caller === 'user') {
    columns.push(USER_COLUMNS);
    joins.push('left join users o on o.id = $1::bigint and not o.pending_delete');
  }
  return `select ${columns.join(', ')}, p.id as project_id, g.id as group_id, r.redirect as by_old_path,
      coalesce(p.full_path, g.full_path) as full_path, coalesce(p.visibility, g.visibility) as visibility,
      coalesce(p.settings, g.settings) as settings, coalesce(p.archived, false) as archived, p.default_branch,
      coalesce(n.traversal_ids, g.traversal_ids) as traversal_ids,
      coalesce(p.repository_storage, g.repository_storage) as storage,
      coalesce(p.repository_read_only, g.repository_read_only) as read_only,
      x.id as repository_id, x.size_bytes, x.identity, x.pushed_at is not null as is_pushed,
      case when p.id is not null then ${projectRoleSql(actor, 'p', 'n')}
           when g.id is not null then ${groupRoleSql(actor, 'g')} else 0 end as role
    from application_settings s ${joins.join(' ')}
    left join routes r on r.path = lower(${path})
    left join projects p on r.source_type = 'Project' and p.id = r.source_id and not p.pending_delete
    left join namespaces n on n.id = p.namespace_id
    left join namespaces g on r.source_type = 'Namespace' and g.id = r.source_id and g.type = 'Group' and not g.pending_delete
    left join repositories x on x.kind = ${kind}::text and x.owner_id = coalesce(p.id, g.id)
      and x.owner_type = case when p.id is not null then 'Project' else 'Group' end
    where s.id = 1`;
}
