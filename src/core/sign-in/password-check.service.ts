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

/**
 * Result of checking a login and a password. Only `two-factor` and the hindrances of an account reveal that
 * the password was correct.
 */
export type PasswordVerdict =
  | { readonly ok: true; readonly user: User }
  | { readonly ok: false; readonly reason: 'two-factor'; readonly user: User }
  | { readonly ok: false; readonly reason: 'wrong' | 'locked' | Hindrance; readonly user: User | null };

/** Stands for a missing user: every statement runs, and changes nothing. */
const NOBODY = { id: 0, failedAttempts: 0, lockedAt: null } as const;

/** Text of the audit event of a failure. */
const FAILED = 'Failed to sign in with a password';

/**
 * Checks passwords; takes the same time whether the user exists or not, and counts failures until the account
 * is locked.
 */
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
   * Checks the password for a username or confirmed address. With `isPage`, on the sign-in page: the second
   * factor is asked for next, and accounts that signing in restores are accepted. Without it (password
   * grant), accounts with a second factor or any hindrance are rejected unchecked, and their failures are not
   * counted.
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
    // On the page, failures are reset by the sign-in itself.
    if (isPage || (await this.forgive(user.id))) return { ok: true, user };
    return { ok: false, reason: 'locked', user };
  }

  /** Asks a signed-in user for the password again; wrong ones count as everywhere. @throws 429 */
  async confirm(userId: number, password: string): Promise<boolean> {
    await this.paths.admit();
    return this.prove(userId, password);
  }

  /**
   * Does the same without the throttle by address: only wrong passwords count, until the account is locked.
   */
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

  /** Audits a failure, and counts it if it is a guess. @returns whether the account is locked */
  private async refuse(user: User | null, isCounted: boolean, what = FAILED): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const row = (await tx.findOne(User, { where: { id: user?.id ?? 0 }, lock })) ?? NOBODY;
      const wasLocked = isLocked(row);
      const locks = isCounted && !wasLocked && (await this.failures.count(tx, row));
      const scope = user ? auditScope(user) : INSTANCE_SCOPE;
      // An unknown username is not stored: it may be a password typed by mistake.
      const target = user ? auditTarget(user) : { type: 'User', id: 0, details: 'Unknown user' };
      const customMessage = `${what}${locks ? ': locked for 10 minutes' : ''}`;
      await this.audit.record(tx, null, scope, target, { customMessage });
      return wasLocked || locks;
    });
  }

  /** Resets failures; false if the account was locked in the meantime. */
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
