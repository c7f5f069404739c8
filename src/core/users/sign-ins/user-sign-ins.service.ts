import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { SignInFailuresService } from './sign-in-failures.service.js';
import { auditScope, auditTarget } from '../user-audit.js';
import { User } from '../user.entity.js';

/** Keeps of each user how often, when and from where they have signed in. */
@Injectable()
export class UserSignInsService {
  constructor(
    private readonly failures: SignInFailuresService,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Notes that the user, whose row the caller has locked, has signed in from an address: forgets their failures, and brings an
   * account back that was deactivated for lying idle. @returns whether it did
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

  /** Stores a stronger digest of the same password, unless it has been changed meanwhile. */
  async renewDigest(tx: Tx, { id, passwordDigest }: User, renewed: string): Promise<void> {
    await tx.update(User, { id, passwordDigest: passwordDigest ?? '' }, { passwordDigest: renewed });
  }
}
