import type { Role } from '#kernel/access/roles.js';
import { jobReachSql } from '#core/ci/tokens/job-reach.sql.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { TOKEN_EXPIRED, TOKEN_UNUSED } from '#core/tokens/token-state.sql.js';
import { dueToGroupSql } from '#core/two-factor/group-duty.sql.js';
import { passwordExpiredSql } from '#core/users/active.sql.js';
import { actorColumns, type ActorRow } from '#core/users/records/actor.row.js';

/** Reference to the subject of a request: its kind, and its id or full path. */
export interface SubjectRef {
  readonly kind: 'Project' | 'Group';
  readonly by: 'id' | 'path';
  readonly value: number | string;
}

/** Variant of the statement that a request needs. There are 40 of them, each prepared on first use. */
export interface StatementKind {
  readonly credential: 'none' | 'token' | 'oauth' | 'session' | 'job';
  readonly sudo: boolean;
  readonly subject: Pick<SubjectRef, 'kind' | 'by'> | null;
}

/** The single row on which the guards decide. Columns are null if not requested or not found. */
export interface AccessRow extends ActorRow<'o'>, ActorRow<'a'> {
  readonly license_plan: string;
  readonly version: number;
  readonly cred_id: number | null;
  readonly scopes: string[] | null;
  readonly impersonation: boolean | null;
  readonly revoked: boolean | null;
  readonly expired: boolean | null;
  readonly unused: boolean | null;
  readonly csrf_digest: Buffer | null;
  readonly o_password_expired: boolean;
  /** These three are selected for sessions only. */
  readonly o_two_factor_enabled?: boolean;
  readonly o_two_factor_grace_started_at?: Date | null;
  readonly o_due_to_group_at?: Date | null;
  readonly s_id: number | null;
  readonly s_name: string;
  readonly s_path: string;
  readonly s_full_path: string;
  readonly s_full_name: string;
  readonly s_visibility: 'private' | 'internal' | 'public';
  readonly s_settings: Record<string, unknown>;
  readonly s_updated_at: Date;
  readonly s_traversal_ids: number[];
  readonly s_parent_id: number | null;
  readonly s_namespace_type: 'User' | 'Group';
  readonly s_archived: boolean;
  readonly s_default_branch: string | null;
  readonly s_by_old_path: boolean;
  readonly s_role?: Role;
  /** Selected for CI job tokens: whether the job may act on the project. */
  readonly s_reached?: boolean;
}

const CREDENTIAL = {
  token: `(select id, user_id, scopes, impersonation, revoked, ${TOKEN_EXPIRED} as expired, ${TOKEN_UNUSED} as unused, null::bytea as csrf_digest
    from personal_access_tokens where digest = $1)`,
  oauth: `(select id, user_id, scopes, false as impersonation, revoked_at is not null or refreshed_at is not null as revoked,
    expires_at <= now() as expired, ${TOKEN_UNUSED} as unused, null::bytea as csrf_digest
    from oauth_tokens where digest = $1)`,
  session: `(select id, user_id, null::text[] as scopes, false as impersonation, false as revoked, expires_at <= now() as expired,
    updated_at < now() - interval '10 minutes' as unused, csrf_digest from sessions where digest = $1)`,
  job: `(select j.id, j.user_id, null::text[] as scopes, false as impersonation, false as revoked,
    j.status <> 'running' or j.erased_at is not null or jp.pending_delete as expired, false as unused, null::bytea as csrf_digest,
    j.project_id as job_project_id
    from ci_jobs j join projects jp on jp.id = j.project_id where j.token_digest = $1)`,
} as const;

const CREDENTIAL_COLUMNS =
  'c.id as cred_id, c.scopes, c.impersonation, c.revoked, c.expired, c.unused, c.csrf_digest';

/** Tokens never require a second factor. */
const SECOND_FACTOR = `o.two_factor_enabled as o_two_factor_enabled, o.two_factor_grace_started_at as o_two_factor_grace_started_at,
  case when not o.two_factor_enabled then ${dueToGroupSql('o')} end as o_due_to_group_at`;

const COMMON = ['id', 'name', 'path', 'full_path', 'full_name', 'visibility', 'settings', 'updated_at'];

const subjectColumns = (alias: string): string =>
  COMMON.map((name) => `${alias}.${name} as s_${name}`).join(', ');

/** Sudo names a user by id (digits) or username: `$2` is the value of sudo, `$3` that of the subject. */
const SUDO_TARGET = `left join users a on a.id = (select id from users where not pending_delete and
  case when $2 ~ '^[0-9]{1,18}$' then id = $2::bigint else lower(username) = lower($2) end limit 1)`;

function subjectJoin(
  kind: 'Project' | 'Group',
  by: 'id' | 'path',
  parameter: string,
  actor: string,
): [columns: string, join: string] {
  const isProject = kind === 'Project';
  const table = isProject ? 'projects' : 'namespaces';
  const type = isProject ? '' : ` and p.type = 'Group'`;
  const named = by === 'id' ? `p.id = ${parameter}::bigint` : 'p.id = r.source_id';
  const route =
    by === 'id'
      ? ''
      : `left join routes r on r.path = lower(${parameter}) and r.source_type = '${isProject ? 'Project' : 'Namespace'}' `;
  const subject = `${route}left join ${table} p on ${named}${type} and not p.pending_delete`;
  const oldPath = by === 'id' ? 'false' : 'r.redirect';
  if (!isProject) {
    const columns = `${subjectColumns('p')}, p.traversal_ids as s_traversal_ids, p.parent_id as s_parent_id, ${oldPath} as s_by_old_path`;
    return [`${columns}, ${groupRoleSql(actor, 'p')} as s_role`, subject];
  }
  const columns = `${subjectColumns('p')}, n.traversal_ids as s_traversal_ids, n.id as s_parent_id, n.type as s_namespace_type,
    p.archived as s_archived, p.default_branch as s_default_branch, ${oldPath} as s_by_old_path`;
  return [
    `${columns}, ${projectRoleSql(actor, 'p', 'n')} as s_role`,
    `${subject} left join namespaces n on n.id = p.namespace_id`,
  ];
}

const built = new Map<string, string>();

/**
 * Text of the statement that resolves credential, users, subject, effective role and tier at once.
 * Parameters: digest of the credential, then the value of sudo, then the id or path of the subject, each only
 * if the kind has it.
 */
export function accessStatement({ credential, sudo, subject }: StatementKind): string {
  const key = `${credential}/${sudo}/${subject ? `${subject.kind}/${subject.by}` : ''}`;
  let text = built.get(key);
  if (text === undefined) {
    text = build(credential, sudo, subject);
    built.set(key, text);
  }
  return text;
}

function build(
  credential: StatementKind['credential'],
  sudo: boolean,
  subject: StatementKind['subject'],
): string {
  const columns = ['s.license_plan', 's.version'];
  const joins: string[] = [];
  if (credential !== 'none') {
    columns.push(CREDENTIAL_COLUMNS, actorColumns('o'), `${passwordExpiredSql('o')} as o_password_expired`);
    if (credential === 'session') columns.push(SECOND_FACTOR);
    joins.push(`left join ${CREDENTIAL[credential]} c on true`, 'left join users o on o.id = c.user_id');
    if (sudo) {
      columns.push(actorColumns('a'));
      joins.push(SUDO_TARGET);
    }
  }
  if (subject) {
    const actor = credential === 'none' ? 'null::bigint' : sudo ? 'a.id' : 'o.id';
    const parameter = credential === 'none' ? '$1' : sudo ? '$3' : '$2';
    const [more, join] = subjectJoin(subject.kind, subject.by, parameter, actor);
    columns.push(more);
    joins.push(join);
    if (credential === 'job') {
      const isProject = subject.kind === 'Project';
      if (isProject) joins.push('left join projects jp on jp.id = c.job_project_id');
      columns.push(`${isProject ? jobReachSql('jp', 'p') : 'false'} as s_reached`);
    }
  }
  return `select ${columns.join(', ')} from application_settings s ${joins.join(' ')} where s.id = 1`;
}
