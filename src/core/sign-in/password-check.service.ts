import { Injectable } from '@nestjs/common';
import { hashPassword, isPasswordOutdated, verifyDummy, verifyPassword } from '#kernel/crypto/passwords.js';
import { Transactions } from '#kernel/database/transactions.js';
import { AuditLogService, INSTANCE_SCOPE } from '#core/audit/audit-log.service.js';
import { isLocked, SignInFailuresService } from '#core/users/sign-ins/sign-in-failures.service.js';
import { auditScope, auditTarget } from '#core/users/user-audit.js';
import { UserSignInsService } from '#core/users/sign-ins/user-sign-ins.service.js';
import { User } from '#core/users/user.entity.js';
import { hindranceOf, pageHindranceOf, type Hindrance } from './account-hindrance.js';
import { LoginsQueries } from './logins.queries.js';
import { ProtectedPathsLimit } from './protected-paths.limit.js';

/** What a login and a password are worth. Only `two-factor` and what hinders an account tell of a password that was right. */
export type PasswordVerdict =
  | { readonly ok: true; readonly user: User }
  | { readonly ok: false; readonly reason: 'two-factor'; readonly user: User }
  | { readonly ok: false; readonly reason: 'wrong' | 'locked' | Hindrance; readonly user: User | null };

/** In place of the row of a user that does not exist: every statement runs, and changes nothing. */
const NOBODY = { id: 0, failedAttempts: 0, lockedAt: null } as const;

/** Words of the audit for a failure. */
const FAILED = 'Failed to sign in with a password';

/** Judges passwords; costs the same whether the user exists or not, and counts failures until the account is locked. */
@Injectable()
export class PasswordCheckService {
  constructor(
    private readonly logins: LoginsQueries,
    private readonly paths: ProtectedPathsLimit,
    private readonly transactions: Transactions,
    private readonly failures: SignInFailuresService,
    private readonly signIns: UserSignInsService,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Judges the password of whoever has this username or confirmed address. With `isPage` somebody sits before the sign-in page: the
   * second factor is asked for next, and accounts that a sign-in mends are let through. Without it (password grant) accounts with a
   * second factor, or in any way out of the ordinary, are refused unseen, and their failures are not counted.
   */
  async verify(login: string, password: string, { isPage = false } = {}): Promise<PasswordVerdict> {
    const user = await this.logins.findOrNull(login);
    if (user && !isPage) {
      const reason = user.twoFactorEnabled ? 'two-factor' : hindranceOf(user);
      if (reason !== null) {
        await verifyDummy();
        await this.refuse(user, false);
        return { ok: false, reason, user };
      }
    }
    const isRight = await this.isRight(user, password);
    if (!user || !isRight) {
      const locks = await this.refuse(user, true);
      return { ok: false, reason: locks ? 'locked' : 'wrong', user };
    }
    const hindrance = isPage ? pageHindranceOf(user) : null;
    if (hindrance !== null) {
      await this.refuse(user, false);
      return { ok: false, reason: hindrance, user };
    }
    if (user.twoFactorEnabled) return { ok: false, reason: 'two-factor', user };
    // Failures of the page are forgotten with the sign-in itself.
    if (isPage || (await this.forgive(user.id))) return { ok: true, user };
    return { ok: false, reason: 'locked', user };
  }

  /** Asks a user who is signed in for their password again; wrong ones count as everywhere. @throws 429 */
  async confirm(userId: number, password: string): Promise<boolean> {
    await this.paths.admit();
    return this.prove(userId, password);
  }

  /** The same where requests are not throttled by their address: only wrong passwords count, until the account is locked. */
  async prove(userId: number, password: string): Promise<boolean> {
    const user = await this.logins.read(userId);
    const isRight = await this.isRight(user, password);
    if (!isRight) await this.refuse(user, true, 'Gave a wrong current password');
    return isRight;
  }

  private async isRight(user: User | null, password: string): Promise<boolean> {
    if (!user?.passwordDigest || isLocked(user)) return verifyDummy();
    const isRight = await verifyPassword(user.passwordDigest, password);
    if (isRight && isPasswordOutdated(user.passwordDigest)) {
      const renewed = await hashPassword(password);
      await this.transactions.run((tx) => this.signIns.renewDigest(tx, user, renewed));
    }
    return isRight;
  }

  /** Writes a failure down, and counts it where it is one of guessing. @returns whether the account is locked */
  private async refuse(user: User | null, isCounted: boolean, what = FAILED): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const row = (await tx.findOne(User, { where: { id: user?.id ?? 0 }, lock })) ?? NOBODY;
      const wasLocked = isLocked(row);
      const locks = isCounted && !wasLocked && (await this.failures.count(tx, row));
      const scope = user ? auditScope(user) : INSTANCE_SCOPE;
      // What was typed in place of a username is not kept: it may be a password.
      const target = user ? auditTarget(user) : { type: 'User', id: 0, details: 'Unknown user' };
      const customMessage = `${what}${locks ? ': locked for 10 minutes' : ''}`;
      await this.audit.record(tx, null, scope, target, { customMessage });
      return wasLocked || locks;
    });
  }

  /** Forgets failures; false where others have locked the account meanwhile. */
  private async forgive(userId: number): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const row = await tx.findOne(User, { where: { id: userId }, lock });
      if (!row || isLocked(row)) return false;
      await this.failures.clear(tx, row);
      return true;
    });
  }
}
