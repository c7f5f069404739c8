import type { AuditScope, AuditTarget } from '#core/audit/audit-log.service.js';
import type { User } from './user.entity.js';

/** Returns a user as the scope of an audit event. */
export const auditScope = (user: Pick<User, 'id' | 'username'>): AuditScope => ({
  type: 'User',
  id: user.id,
  path: user.username,
});

/** Returns a user as the target of an audit event. */
export const auditTarget = (user: Pick<User, 'id' | 'name'>): AuditTarget => ({
  type: 'User',
  id: user.id,
  details: user.name,
});
