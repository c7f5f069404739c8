import type { Actor, Caller, Credential, GroupSubject, ProjectSubject } from '#kernel/access/caller.js';
import { Role, type Scope, tierOf } from '#kernel/access/roles.js';
import { PASSWORD_EXPIRED } from '#core/sign-in/first-steps.js';
import { actorIn } from '#core/users/records/actor.row.js';
import type { AccessRow, StatementKind } from './access-statement.js';

function owner(row: AccessRow): Actor | null {
  const user = actorIn(row, 'o');
  return user?.state === 'active' && row.o_password_expired ? { ...user, state: PASSWORD_EXPIRED } : user;
}

function subjectOf(row: AccessRow, kind: 'Project' | 'Group'): ProjectSubject | GroupSubject | null {
  if (row.s_id === null) return null;
  const common = {
    id: row.s_id,
    name: row.s_name,
    path: row.s_path,
    fullPath: row.s_full_path,
    fullName: row.s_full_name,
    visibility: row.s_visibility,
    settings: row.s_settings,
    traversalIds: row.s_traversal_ids,
    updatedAt: row.s_updated_at,
    byOldPath: row.s_by_old_path,
  };
  if (kind === 'Group') return { ...common, kind, parentId: row.s_parent_id };
  return {
    ...common,
    kind,
    namespaceId: row.s_parent_id as number,
    namespaceType: row.s_namespace_type,
    archived: row.s_archived,
    defaultBranch: row.s_default_branch,
  };
}

/** Whether this credential grants administrators their rights: in admin mode, tokens need a scope for it. */
const bringsAdmin = (row: AccessRow, kind: Credential['kind'] | null, adminMode: boolean): boolean =>
  !adminMode || kind === 'session' || (row.scopes ?? []).includes('admin_mode');

/**
 * Builds the caller from the row of the statement; `credentialKind` is null for anonymous callers,
 * `adminMode` is the setting of that name.
 */
export function callerOfRow(
  row: AccessRow,
  kind: StatementKind,
  credentialKind: Credential['kind'] | null,
  adminMode: boolean,
): Caller {
  const theOwner = credentialKind === null ? null : owner(row);
  const target = kind.sudo && theOwner ? actorIn(row, 'a') : null;
  const sudo = !kind.sudo
    ? null
    : target === null
      ? 'unknown'
      : target.id === theOwner?.id
        ? 'self'
        : 'other';
  const acting = sudo === 'other' ? target : theOwner;
  const actor =
    acting?.admin && !bringsAdmin(row, credentialKind, adminMode) ? { ...acting, admin: false } : acting;
  return {
    actor,
    owner: theOwner,
    credential:
      credentialKind === null
        ? null
        : {
            kind: credentialKind,
            id: row.cred_id as number,
            scopes: (row.scopes ?? []) as Scope[],
            impersonation: row.impersonation === true,
          },
    sudo,
    tier: tierOf(row.license_plan),
    subject: kind.subject && row.s_reached !== false ? subjectOf(row, kind.subject.kind) : null,
    role: actor?.admin ? Role.Admin : (row.s_role ?? Role.None),
  };
}
