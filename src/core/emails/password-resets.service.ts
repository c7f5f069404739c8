import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { hashPassword } from '#kernel/crypto/passwords.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { Links } from '#kernel/http/links.js';
import { Mails } from '#kernel/mail/mails.js';
import { UserAddressesService } from '#core/users/addresses/user-addresses.service.js';
import { UserPasswordsService } from '#core/users/sign-ins/user-passwords.service.js';
import type { User } from '#core/users/user.entity.js';
import { MailLimit } from './mail.limit.js';
import { addLink, isOpen, RESET_LIFE_MS } from './links/mailed-link.js';
import { PasswordReset } from './links/password-reset.entity.js';
import { passwordResetMail } from './mails/password-reset.mail.js';

/** Resets passwords by links mailed to the primary address. */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly throttle: MailLimit,
    private readonly addresses: UserAddressesService,
    private readonly passwords: UserPasswordsService,
    private readonly mails: Mails,
    private readonly links: Links,
  ) {}

  /** Mails a requested link, unless this happened too often recently. */
  async sendOnRequest(tx: Tx, user: User): Promise<void> {
    if (await this.throttle.admit('reset', user.id, user.email)) await this.send(tx, user);
  }

  /** Mails a link to the user's own primary address, never to one from a request (CVE-2023-7028). */
  async send(tx: Tx, user: User): Promise<void> {
    const token = await addLink(tx, PasswordReset, user, user.email, RESET_LIFE_MS);
    const url = `${this.links.base}/users/password/edit?reset_password_token=${token}`;
    await this.mails.enqueue(tx, passwordResetMail({ to: user.email, username: user.username, url }));
  }

  /** Returns whether the link is still valid. */
  async isUsable(token: string): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const reset = await tx.findOneBy(PasswordReset, { digest: digestToken(token) });
      return reset !== null && (await this.userOrNull(tx, reset)) !== null;
    });
  }

  /**
   * Sets the password, which must follow the rules, and invalidates this and all other links of the user; of
   * two requests with one link one succeeds. False if the link is invalid.
   */
  async use(token: string, password: string): Promise<boolean> {
    // Check before computing the expensive digest, which an unknown link must not cause.
    if (!(await this.isUsable(token))) return false;
    const passwordDigest = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      const reset = await tx.findOne(PasswordReset, {
        where: { digest: digestToken(token) },
        lock: { mode: 'pessimistic_write' },
      });
      const user = reset && (await this.userOrNull(tx, reset));
      if (!user) return false;
      // As any change of the password, this invalidates all links.
      await this.passwords.change(tx, user, user, passwordDigest);
      return true;
    });
  }

  /**
   * Invalidates all links of a user whose password was changed: someone else may have requested or read one,
   * which may be why it was changed.
   */
  async invalidate(tx: Tx, userId: number): Promise<void> {
    await tx.update(PasswordReset, { userId, usedAt: IsNull() }, { usedAt: new Date() });
  }

  private async userOrNull(tx: Tx, reset: PasswordReset): Promise<User | null> {
    if (!isOpen(reset)) return null;
    const user = await this.addresses.ableOrNull(tx, reset.userId);
    return user?.email === reset.address ? user : null;
  }
}
