import type { SubjectCaller } from '#kernel/access/caller.js';
import type { AuditScope } from '#core/audit/audit-log.service.js';
import type { MemberSource } from './member.entity.js';

/** Group or project whose members a request is about. */
export interface MemberContainer {
  readonly kind: 'Group' | 'Project';
  readonly type: MemberSource;
  readonly id: number;
  readonly name: string;
  readonly fullPath: string;
  readonly traversalIds: readonly number[];
  /** Groups from which memberships are inherited: those above, for a project also its own group. */
  readonly inheritedIds: readonly number[];
  /** Whether it is a project in a user's namespace, of which that user is the owner. */
  readonly isPersonal: boolean;
}

/** Returns the group or project that the guards have resolved. */
export function memberContainer({ subject }: SubjectCaller): MemberContainer {
  const { kind, id, name, fullPath, traversalIds } = subject;
  const isGroup = kind === 'Group';
  return {
    kind,
    type: isGroup ? 'Namespace' : 'Project',
    id,
    name,
    fullPath,
    traversalIds,
    inheritedIds: isGroup ? traversalIds.slice(0, -1) : traversalIds,
    isPersonal: subject.kind === 'Project' && subject.namespaceType === 'User',
  };
}

/** Returns the container as the scope of an audit event. */
export const scopeOf = ({ kind, id, fullPath }: MemberContainer): AuditScope => ({
  type: kind,
  id,
  path: fullPath,
});
