import type { GroupSubject, ProjectSubject } from '#kernel/access/caller.js';
import type { AuditScope } from '#core/audit/audit-log.service.js';

/** The project or group of a token. */
export interface TokenContainer {
  readonly sourceType: 'Project' | 'Namespace';
  readonly sourceId: number;
  /** Its type in messages and names. */
  readonly kind: 'Project' | 'Group';
  readonly scope: AuditScope;
}

/** Returns the project or group of the request. */
export function tokenContainer({ kind, id, fullPath }: ProjectSubject | GroupSubject): TokenContainer {
  return {
    sourceType: kind === 'Project' ? 'Project' : 'Namespace',
    sourceId: id,
    kind,
    scope: { type: kind, id, path: fullPath },
  };
}
