import type { GroupSubject, ProjectSubject } from '#kernel/access/caller.js';
import type { AuditScope } from '#core/audit/audit-log.service.js';

/** Owner of protections, by the columns of the table. */
export type ProtectionOwner =
  | { readonly projectId: number; readonly groupId: null }
  | { readonly projectId: null; readonly groupId: number };

/** Returns the project or group of a request. */
export const protectionOwner = ({ kind, id }: ProjectSubject | GroupSubject): ProtectionOwner =>
  kind === 'Project' ? { projectId: id, groupId: null } : { projectId: null, groupId: id };

/** Returns the project or group as the scope of an audit event. */
export const protectionScope = ({ kind, id, fullPath }: ProjectSubject | GroupSubject): AuditScope => ({
  type: kind,
  id,
  path: fullPath,
});
