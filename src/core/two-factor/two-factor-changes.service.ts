import { Injectable } from '@nestjs/common';
import type { AuditAuthor } from '#core/audit/audit-log.service.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { SessionsService } from '#core/sessions/sessions.service.js';
import { AccountChanged } from '#core/users/events/account-changed.event.js';
import { AccountNotice } from '#core/users/events/account-notice.event.js';
import type { User } from '#core/users/user.entity.js';
import { UsersService } from '#core/users/users.service.js';
import { matchingStep } from './codes/totp.js';
import { TwoFactorAudit } from './two-factor.audit.js';
import type { SetUpOwner } from './two-factor-set-up.service.js';
import { TwoFactorService } from './two-factor.service.js';

/** Result of a set-up: recovery codes, or rejected because the code is wrong or a second factor exists. */
export type Enabled = { readonly codes: readonly string[] } | { readonly refused: 'wrong-code' | 'already' };

/** Before the first use of a step. */
const NONE_USED = -1;

/** Adds and removes second factors, and renews their recovery codes. */
@Injectable()
export class TwoFactorChangesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly twoFactor: TwoFactorService,
    private readonly audit: TwoFactorAudit,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Adds an authenticator verified by a code, which is consumed. Other browsers must sign in again, because
   * they did so without it.
   */
  async enable({ userId, sessionId }: SetUpOwner, secret: string, code: string): Promise<Enabled> {
    return this.transactions.run(async (tx) => {
      const user = await this.users.findForUpdate(tx, userId);
      if (user.twoFactorEnabled) return { refused: 'already' };
      const step = matchingStep(secret, code.replace(/\s/g, ''), new Date(), NONE_USED);
      if (step === null) return { refused: 'wrong-code' };
      const codes = await this.twoFactor.insert(tx, userId, secret, step);
      await this.sessions.revokeAllOf(tx, userId, sessionId);
      await this.tell(tx, user, user, 'Enabled two-factor authentication');
      return { codes };
    });
  }

  /**
   * Removes the second factor of a user; `author` is null for the command line. @returns whether there was
   * one @throws 404 if the user does not exist
   */
  async disable(author: AuditAuthor | null, userId: number): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const user = await this.users.findForUpdate(tx, userId);
      if (!user.twoFactorEnabled) return false;
      await this.twoFactor.remove(tx, userId);
      await this.audit.record(tx, author, user, 'Disabled two-factor authentication');
      await this.events.publish(tx, new AccountNotice(userId, { kind: 'two_factor_disabled' }));
      return true;
    });
  }

  /** Replaces the recovery codes of a user. @returns the new ones; null without a second factor */
  async renewCodes(author: AuditAuthor, userId: number): Promise<readonly string[] | null> {
    return this.transactions.run(async (tx) => {
      const user = await this.users.findForUpdate(tx, userId);
      if (!user.twoFactorEnabled) return null;
      const codes = await this.twoFactor.replaceCodes(tx, userId);
      await this.tell(tx, author, user, 'Renewed the two-factor recovery codes');
      return codes;
    });
  }

  /** Audits the change, and notifies the owner of the account, since an attacker may have made it. */
  private async tell(tx: Tx, author: AuditAuthor | null, user: User, what: string): Promise<void> {
    await this.audit.record(tx, author, user, what);
    await this.events.publish(tx, new AccountChanged(user, 'two-factor authentication'));
  }
}
