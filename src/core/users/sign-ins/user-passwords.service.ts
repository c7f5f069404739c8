import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { AuditLogService, type AuditAuthor } from '#core/audit/audit-log.service.js';
import { AccountChanged } from '../events/account-changed.event.js';
import { auditScope, auditTarget } from '../user-audit.js';
import { User } from '../user.entity.js';
import { UsersService } from '../users.service.js';

/** Password changes by users themselves; those by administrators are in `update-user.ts`. */
@Injectable()
export class UserPasswordsService {
  constructor(
    private readonly users: UsersService,
    private readonly audit: AuditLogService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Stores the digest of a new password, unlocks the account, and ends all sessions, so that those who knew
   * the old password are signed out.
   */
  async change(tx: Tx, author: AuditAuthor, user: User, passwordDigest: string): Promise<void> {
    await tx.update(
      User,
      { id: user.id },
      {
        passwordDigest,
        passwordChangedAt: new Date(),
        passwordExpiresAt: null,
        failedAttempts: 0,
        lockedAt: null,
      },
    );
    await this.users.signOut(tx, user.id);
    await this.events.publish(tx, new AccountChanged(user, 'password'));
    const change = { customMessage: 'Changed password' };
    await this.audit.record(tx, author, auditScope(user), auditTarget(user), change);
  }
}
