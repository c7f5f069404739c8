import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { requestContext } from '#kernel/log/request-context.js';
import { AccountNotice } from '#core/users/events/account-notice.event.js';
import { isLocked, SignInFailuresService } from '#core/users/sign-ins/sign-in-failures.service.js';
import { User } from '#core/users/user.entity.js';
import { TwoFactorAudit } from './two-factor.audit.js';
import { TwoFactorService } from './two-factor.service.js';

/**
 * Result of checking a code; `locked` reveals nothing about it, and `ended` means that the sign-in must start
 * again.
 */
export type SecondFactorAnswer = 'right' | 'wrong' | 'locked' | 'ended';

/** The user of a code, and when the password given before was set. */
export interface CodeOwner {
  readonly userId: number;
  readonly passwordChangedAt: Date | null;
}

/** Codes of authenticators are six digits; anything else may be a recovery code. */
const TOTP_CODE = /^\d{6}$/;

/** Longer texts cannot be codes, and no digest is computed. */
const MAX_LENGTH = 64;

/** Text of the audit event of a failure. */
const FAILED = 'Failed to sign in with a two-factor code';

/** Checks the second factor of a user who has given the correct password. */
@Injectable()
export class SecondFactorCheckService {
  constructor(
    private readonly transactions: Transactions,
    private readonly failures: SignInFailuresService,
    private readonly twoFactor: TwoFactorService,
    private readonly audit: TwoFactorAudit,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Checks and consumes a code of the authenticator or a recovery code. Wrong codes count like wrong
   * passwords.
   */
  async verify({ userId, passwordChangedAt }: CodeOwner, code: string): Promise<SecondFactorAnswer> {
    return this.transactions.run(async (tx) => {
      // Of two concurrent requests with one code, the second waits here and finds it used.
      const user = await tx.findOne(User, {
        where: { id: userId, twoFactorEnabled: true, pendingDelete: false },
        lock: { mode: 'pessimistic_write' },
      });
      if (!user || user.passwordChangedAt?.getTime() !== passwordChangedAt?.getTime()) return 'ended';
      if (isLocked(user)) {
        await this.audit.record(tx, null, user, FAILED);
        return 'locked';
      }
      if (await this.use(tx, user, code.replace(/\s/g, ''))) return 'right';
      const locks = await this.failures.count(tx, user);
      await this.audit.record(tx, null, user, `${FAILED}${locks ? ': locked for 10 minutes' : ''}`);
      const ip = requestContext.getStore()?.remoteIp ?? null;
      await this.events.publish(tx, new AccountNotice(user.id, { kind: 'wrong_code', ip }));
      return locks ? 'locked' : 'wrong';
    });
  }

  private async use(tx: Tx, user: User, code: string): Promise<boolean> {
    if (code.length > MAX_LENGTH) return false;
    if (TOTP_CODE.test(code)) return this.twoFactor.useCode(tx, user.id, code);
    const isRight = await this.twoFactor.useRecoveryCode(tx, user.id, code);
    if (isRight) await this.audit.record(tx, user, user, 'Used a two-factor recovery code');
    return isRight;
  }
}
