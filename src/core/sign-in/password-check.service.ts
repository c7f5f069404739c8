import { Injectable } from '@nestjs/common';
import { hashPassword, isPasswordOutdated, verifyDummy, verifyPassword } from '#kernel/crypto/passwords.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { AuditLogService, INSTANCE_SCOPE } from '#core/audit/audit-log.service.js';
import { TwoFactorQueries } from '#core/two-factor/two-factor.queries.js';
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
const NOBODY = { id: 0, failedAttempts: 0, lockedAt: null, passwordChangedAt: null } as const;

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
    private readonly twoFactor: TwoFactorQueries,
    private readonly transactions: Transactions,
    private readonly failures: SignInFailuresService,
    private readonly signIns: UserSignInsService,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Checks the password for a username or confirmed address. With `isPage`, on the sign-in page: the second
   * factor is required next, and accounts that signing in restores are accepted. Without it (password
   * grant), accounts with a second factor or any hindrance are rejected unchecked, and their failures are not
   * counted.
   */
  async verify(login: string, password: string, { isPage = false } = {}): Promise<PasswordVerdict> {
    const user = await this.logins.findOrNull(login);
    const reason = isPage ? null : await this.refusalOf(user);
    if (user && reason !== null) {
      await verifyDummy();
      await this.recordRefusal(user);
      return { ok: false, reason, user };
    }
    // On the page, failures are reset by the sign-in itself.
    const outcome = await this.settle(user, await this.isRight(user, password), { forgives: !isPage });
    if (!user || outcome !== 'right')
      return { ok: false, reason: outcome === 'locked' ? outcome : 'wrong', user };
    await this.renew(user, password);
    const hindrance = isPage ? pageHindranceOf(user) : null;
    if (hindrance !== null) {
      await this.recordRefusal(user);
      return { ok: false, reason: hindrance, user };
    }
    return user.twoFactorEnabled ? { ok: false, reason: 'two-factor', user } : { ok: true, user };
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
    const outcome = await this.settle(user, await this.isRight(user, password), {
      what: 'Gave a wrong current password',
    });
    if (!user || outcome !== 'right') return false;
    await this.renew(user, password);
    return true;
  }

  /**
   * Returns why a password alone does not suffice, whether it is right or not; the same statements run for a
   * missing user.
   */
  private async refusalOf(user: User | null): Promise<'two-factor' | Hindrance | null> {
    const isAsked = await this.twoFactor.isAskedByGroup((user ?? NOBODY).id);
    if (!user) return null;
    return user.twoFactorEnabled || isAsked ? 'two-factor' : hindranceOf(user);
  }

  private async isRight(user: User | null, password: string): Promise<boolean> {
    if (!user?.passwordDigest || isLocked(user)) return verifyDummy();
    return verifyPassword(user.passwordDigest, password);
  }

  /** Stores a stronger digest of a right password if the stored one is outdated. */
  private async renew(user: User, password: string): Promise<void> {
    if (!user.passwordDigest || !isPasswordOutdated(user.passwordDigest)) return;
    const renewed = await hashPassword(password);
    await this.transactions.run((tx) => this.signIns.renewDigest(tx, user, renewed));
  }

  /**
   * Counts the answer, wrong ones with an audit event. A right one is judged under the lock of the row: of guesses that
   * were checked at the same time, those after the tenth wrong one find the account locked.
   */
  private async settle(
    user: User | null,
    isRight: boolean,
    { forgives = false, what = FAILED } = {},
  ): Promise<'right' | 'wrong' | 'locked'> {
    return this.transactions.run(async (tx) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const row = (await tx.findOne(User, { where: { id: user?.id ?? 0 }, lock })) ?? NOBODY;
      const wasLocked = isLocked(row);
      const isSame = row.passwordChangedAt?.getTime() === user?.passwordChangedAt?.getTime();
      if (isRight && row !== NOBODY && isSame && !wasLocked) {
        if (forgives) await this.failures.clear(tx, row);
        return 'right';
      }
      const locks = !wasLocked && (await this.failures.count(tx, row));
      await this.record(tx, user, `${what}${locks ? ': locked for 10 minutes' : ''}`);
      return wasLocked || locks ? 'locked' : 'wrong';
    });
  }

  /** Audits a failure that is not a guess, and is not counted. */
  private async recordRefusal(user: User): Promise<void> {
    await this.transactions.run((tx) => this.record(tx, user, FAILED));
  }

  private async record(tx: Tx, user: User | null, customMessage: string): Promise<void> {
    const scope = user ? auditScope(user) : INSTANCE_SCOPE;
    // An unknown username is not stored: it may be a password typed by mistake.
    const target = user ? auditTarget(user) : { type: 'User', id: 0, details: 'Unknown user' };
    await this.audit.record(tx, null, scope, target, { customMessage });
  }
}
