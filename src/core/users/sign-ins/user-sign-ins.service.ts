import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { SignInFailuresService } from './sign-in-failures.service.js';
import { auditScope, auditTarget } from '../user-audit.js';
import { User } from '../user.entity.js';

/** Records how often, when and from where users sign in. */
@Injectable()
export class UserSignInsService {
  constructor(
    private readonly failures: SignInFailuresService,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Records a sign-in of the user, whose row the caller has locked: resets failures, and reactivates an
   * account that was deactivated for inactivity. @returns whether it was reactivated
   */
  async note(tx: Tx, user: User, ip: string | null): Promise<boolean> {
    const now = new Date();
    const isBack = user.state === 'deactivated';
    await this.failures.clear(tx, user);
    await tx.update(
      User,
      { id: user.id },
      {
        signInCount: user.signInCount + 1,
        lastSignInAt: user.currentSignInAt ?? now,
        currentSignInAt: now,
        lastSignInIp: user.currentSignInIp ?? ip,
        currentSignInIp: ip,
        lastActivityOn: now.toISOString().slice(0, 10),
        ...(isBack ? { state: 'active' as const } : {}),
      },
    );
    if (isBack) {
      const change = { change: 'state (activate)', from: 'deactivated', to: 'active' };
      await this.audit.record(tx, user, auditScope(user), auditTarget(user), change);
    }
    return isBack;
  }

  /** Stores a stronger digest of the same password, unless the password was changed in the meantime. */
  async renewDigest(tx: Tx, { id, passwordDigest }: User, renewed: string): Promise<void> {
    await tx.update(User, { id, passwordDigest: passwordDigest ?? '' }, { passwordDigest: renewed });
  }
}
