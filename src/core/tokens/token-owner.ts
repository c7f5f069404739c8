import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { AuditScope } from '#core/audit/audit-log.service.js';

/** Facts of a token's owner that rules and audit need. */
export interface TokenOwner {
  readonly id: number;
  readonly admin: boolean;
  /** Name of its kind of tokens. */
  readonly tokenKind: 'personal access token' | 'project access token' | 'group access token';
  /** Scope of audit events about its tokens: for a bot, its project or group. */
  readonly scope: AuditScope;
}

interface OwnerRow {
  id: number;
  username: string;
  admin: boolean;
  bot_source_type: 'Project' | 'Namespace' | null;
  bot_source_id: number | null;
  source_path: string | null;
}

const OWNER = `select u.id, u.username, u.admin, u.bot_source_type, u.bot_source_id, coalesce(p.full_path, n.full_path) as source_path
  from users u
  left join projects p on u.bot_source_type = 'Project' and p.id = u.bot_source_id
  left join namespaces n on u.bot_source_type = 'Namespace' and n.id = u.bot_source_id
  where u.id = $1 and not u.pending_delete`;

/** Reads the owner of an existing or new token. @throws 404 */
export async function findTokenOwner(tx: Tx, userId: number): Promise<TokenOwner> {
  const [row] = await tx.query<OwnerRow[]>(OWNER, [userId]);
  if (!row) throw notFound('User');
  const { id, username, admin, bot_source_type: source, bot_source_id: sourceId, source_path: path } = row;
  if (source === null || sourceId === null) {
    return { id, admin, tokenKind: 'personal access token', scope: { type: 'User', id, path: username } };
  }
  const type = source === 'Project' ? 'Project' : 'Group';
  return {
    id,
    admin,
    tokenKind: type === 'Project' ? 'project access token' : 'group access token',
    scope: { type, id: sourceId, path: path ?? username },
  };
}
