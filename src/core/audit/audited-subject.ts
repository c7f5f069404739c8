import type { Caller } from '#kernel/access/caller.js';
import type { Role } from '#kernel/access/roles.js';
import type { AuditedEntity } from './audit-events.queries.js';

/** Returns which events of the subject the caller may read: all from a role on, else the caller's own. */
export function auditedSubject({ subject, role, actor }: Caller, all: Role): AuditedEntity {
  if (!subject || !actor) throw new Error('Audit events need a subject and a user');
  return { type: subject.kind, id: subject.id, authorId: role >= all ? null : actor.id };
}
