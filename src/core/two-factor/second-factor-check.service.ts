import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { requestContext } from '#kernel/log/request-context.js';
import { AccountNotice } from '#core/users/events/account-notice.event.js';
import { isLocked, SignInFailuresService } from '#core/users/sign-ins/sign-in-failures.service.js';
import { User } from '#core/users/user.entity.js';
import { TwoFactorAudit } from './two-factor.audit.js';
import { TwoFactorService } from './two-factor.service.js';

/** What a code was worth; `locked` says nothing about it, and `ended` that no code is of any use any more. */
export type SecondFactorAnswer = 'right' | 'wrong' | 'locked' | 'ended';

/** Whose code it is, and since when they have had the password that they gave before. */
export interface CodeOwner {
  readonly userId: number;
  readonly passwordChangedAt: Date | null;
}

/** Codes of authenticators are six digits; everything else may be a recovery code. */
const TOTP_CODE = /^\d{6}$/;

/** Longer ones are no code, and are not worth a digest. */
const MAX_LENGTH = 64;

/** Judges the second factor of somebody who has already given the right password. */
@Injectable()
export class SecondFactorCheckService {
  constructor(
    private readonly transactions: Transactions,
    private readonly failures: SignInFailuresService,
    private readonly twoFactor: TwoFactorService,
    private readonly audit: TwoFactorAudit,
    private readonly events: DomainEvents,
  ) {}

  /** Takes a code of the authenticator or a recovery code, and uses it up. Wrong ones count like wrong passwords. */
  async verify({ userId, passwordChangedAt }: CodeOwner, code: string): Promise<SecondFactorAnswer> {
    return this.transactions.run(async (tx) => {
      // Of two who come with one code at a time, the second waits here and finds it used.
      const user = await tx.findOne(User, {
        where: { id: userId, twoFactorEnabled: true, pendingDelete: false },
        lock: { mode: 'pessimistic_write' },
      });
      if (!user || user.passwordChangedAt?.getTime() !== passwordChangedAt?.getTime()) return 'ended';
      if (isLocked(user)) return 'locked';
      if (await this.use(tx, user, code.replace(/\s/g, ''))) return 'right';
      const locks = await this.failures.count(tx, user);
      const message = `Failed to sign in with a two-factor code${locks ? ': locked for 10 minutes' : ''}`;
      await this.audit.record(tx, null, user, message);
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
