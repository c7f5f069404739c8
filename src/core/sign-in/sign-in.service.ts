import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { clientKeyOf } from '#kernel/rate-limit/client-key.js';
import { SessionsService, type StartedSession } from '#core/sessions/sessions.service.js';
import { isLocked } from '#core/users/sign-ins/sign-in-failures.service.js';
import { UserSignInsService } from '#core/users/sign-ins/user-sign-ins.service.js';
import { AccountNotice } from '#core/users/events/account-notice.event.js';
import { User } from '#core/users/user.entity.js';
import { pageHindranceOf } from './account-hindrance.js';

/** A browser whose user has fully authenticated. */
export interface SignInRequest {
  readonly userId: number;
  /** When the given password was set: if it was changed since, the sign-in is rejected. */
  readonly passwordChangedAt: Date | null;
  /** Whether the second factor was also given. */
  readonly hasSecondFactor: boolean;
  /** Whether the browser stays signed in after closing. */
  readonly remember: boolean;
  readonly remoteIp: string | null;
  readonly userAgent: string | null;
  /** Previous session of the browser, which ends. */
  readonly formerSessionId: number | null;
}

/** Data of the new session for the browser. */
export interface SignedIn {
  readonly session: StartedSession;
  /** The account was deactivated and is active again. */
  readonly isReactivated: boolean;
}

/** Signs users in and out. */
@Injectable()
export class SignInService {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: SessionsService,
    private readonly signIns: UserSignInsService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Starts a session under a new secret, so that one planted in the browser before is worthless. Null if,
   * since the password was checked, the account was locked, blocked or removed, or its password or second
   * factor changed.
   */
  async complete(request: SignInRequest): Promise<SignedIn | null> {
    return this.transactions.run(async (tx) => {
      const user = await this.findForUpdate(tx, request.userId);
      if (!user || isLocked(user) || pageHindranceOf(user) !== null) return null;
      if (user.twoFactorEnabled && !request.hasSecondFactor) return null;
      if (user.passwordChangedAt?.getTime() !== request.passwordChangedAt?.getTime()) return null;
      const isKnown = await this.isKnown(tx, user, request);
      const isReactivated = await this.signIns.note(tx, user, request.remoteIp);
      if (!isKnown)
        await this.events.publish(
          tx,
          new AccountNotice(user.id, { kind: 'unknown_sign_in', ip: request.remoteIp }),
        );
      if (request.formerSessionId !== null) await this.sessions.revoke(tx, request.formerSessionId);
      return { session: await this.start(tx, request), isReactivated };
    });
  }

  /** Ends a session. */
  async signOut(sessionId: number): Promise<void> {
    await this.transactions.run((tx) => this.sessions.revoke(tx, sessionId));
  }

  /**
   * Returns whether the user has used this address before: by the last two sign-ins and the open sessions. At
   * the first sign-in nothing is known.
   */
  private async isKnown(tx: Tx, user: User, { remoteIp, formerSessionId }: SignInRequest): Promise<boolean> {
    if (remoteIp === null || user.signInCount === 0) return true;
    const sessions = await this.sessions.allOf(tx, user.id);
    if (sessions.some(({ id }) => id === formerSessionId)) return true;
    const addresses = [
      user.currentSignInIp,
      user.lastSignInIp,
      ...sessions.map((session) => session.remoteIp),
    ];
    return addresses.some((address) => address !== null && clientKeyOf(address) === clientKeyOf(remoteIp));
  }

  private start(tx: Tx, request: SignInRequest): Promise<StartedSession> {
    const { userId, remoteIp, userAgent, remember } = request;
    return this.sessions.create(tx, userId, remoteIp, userAgent, remember);
  }

  private findForUpdate(tx: Tx, id: number): Promise<User | null> {
    return tx.findOne(User, {
      where: { id, userType: 'human', pendingDelete: false },
      lock: { mode: 'pessimistic_write' },
    });
  }
}
