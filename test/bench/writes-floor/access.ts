import { digestToken } from '#kernel/crypto/tokens.js';
import { ask, statement, type Database } from './database.js';
import { require, type Sent } from './http.js';

/** The caller in a project. */
export interface Caller {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: string;
  readonly admin: boolean;
  readonly project_id: number;
  readonly full_path: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly license_plan: string;
  readonly has_repository: boolean;
  readonly default_branch: string | null;
  readonly role: number;
}

type Row = Caller & { readonly scopes: string[]; readonly is_dead: boolean; readonly archived: boolean };

const OPEN = '(m.expires_at is null or m.expires_at > current_date)';
const PLACE = `(source_type = 'Project' and source_id = p.id or source_type = 'Namespace' and source_id = any(n.traversal_ids))`;
const above = (table: string): string => PLACE.replaceAll('source_', `${table}.source_`);

/** The role of a person `u` in a project `p` of a namespace `n`: as a member of either, of a group above, or of a group that was invited. */
export const ROLE = `case when n.owner_id = u.id then 50 else coalesce((select max(level) from (
    select m.access_level as level from members m where m.user_id = u.id and ${above('m')} and ${OPEN}
    union all select least(l.access_level, m.access_level) from group_links l join namespaces g on g.id = l.group_id and not g.pending_delete
      join members m on m.user_id = u.id and m.source_type = 'Namespace' and m.source_id = any(g.traversal_ids) and ${OPEN}
      where ${above('l')} and (l.expires_at is null or l.expires_at > current_date)) levels), 0) end`;

const CALLER = statement<Row>(
  'caller',
  `select t.scopes, t.revoked or coalesce(t.expires_at <= (now() at time zone 'utc')::date, false) as is_dead, u.id, u.username, u.name, u.state, u.admin,
     p.id as project_id, p.full_path, p.archived, p.settings, p.default_branch, s.license_plan,
     exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = p.id and r.kind = 'code') as has_repository, ${ROLE} as role
   from application_settings s join personal_access_tokens t on t.digest = $1 join users u on u.id = t.user_id
     left join projects p on p.id = $2 and not p.pending_delete left join namespaces n on n.id = p.namespace_id where s.id = 1`,
);

/** The caller of a request to a project, who has at least a role there. @throws 401, 403, 404 */
export async function callerOf(database: Database, sent: Sent, projectId: number, role: number): Promise<Caller> {
  const token = String(sent.headers['private-token'] ?? '');
  const [[row]] = await database.run(ask(CALLER, digestToken(token), projectId));
  require(row !== undefined && !row.is_dead && row.state === 'active', 401, '401 Unauthorized');
  sent.told.user = row;
  require(row.scopes.includes('api'), 403, 'insufficient_scope');
  require(row.role >= 10, 404, '404 Project Not Found');
  require(row.role >= role && !row.archived, 403, '403 Forbidden');
  return row;
}

/** A person as records name them. */
export const person = ({ id, username, name, state }: Pick<Caller, 'id' | 'username' | 'name' | 'state'>, host: string): object => ({
  ...{ id, username, name, state, avatar_url: null, web_url: `${host}/${username}` },
});
