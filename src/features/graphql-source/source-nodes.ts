import { isoTime } from '#kernel/http/times.js';
import { groupSettings } from '#core/groups/settings/group-settings.js';
import type { MemberRow } from '#core/members/members.queries.js';
import type { ListedProject, MemberDetails, SourceRow } from './source.queries.js';

/** Formats an id for v4 clients: the number is after the last slash. */
const globalId = (kind: 'Group' | 'Project' | 'User', id: number): string => `gid://gitlab/${kind}/${id}`;

/** Returns the fields of a group. */
export function groupNode(row: SourceRow): Record<string, unknown> {
  const settings = groupSettings(row.settings);
  return {
    id: globalId('Group', row.id),
    name: row.name,
    path: row.path,
    fullName: row.full_name,
    fullPath: row.full_path,
    description: row.description,
    visibility: row.visibility,
    createdAt: isoTime(row.created_at),
    emailsDisabled: settings.emails_disabled,
    lfsEnabled: false,
    mentionsDisabled: settings.mentions_disabled,
    projectCreationLevel: settings.project_creation_level,
    subgroupCreationLevel: settings.subgroup_creation_level,
    requestAccessEnabled: settings.request_access_enabled,
    requireTwoFactorAuthentication: settings.require_two_factor_authentication,
    shareWithGroupLock: settings.share_with_group_lock,
    twoFactorGracePeriod: settings.two_factor_grace_period,
  };
}

/** Returns the fields of a project. */
export const projectNode = (row: ListedProject): Record<string, unknown> => ({
  id: globalId('Project', row.id),
  name: row.name,
  path: row.path,
  fullPath: row.full_path,
  description: row.description,
  visibility: row.visibility,
  createdAt: isoTime(row.created_at),
  archived: row.archived,
});

/** Returns the fields of a member; the email address only if it is public. */
export const memberNode = (row: MemberRow, details: MemberDetails | undefined): Record<string, unknown> => ({
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(details?.updated_at ?? row.created_at),
  expiresAt: row.expires_at,
  accessLevel: { integerValue: row.access_level },
  user: {
    id: globalId('User', row.id),
    username: row.username,
    name: row.name,
    publicEmail: details?.public_email || null,
  },
});
