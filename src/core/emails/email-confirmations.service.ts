import { Injectable } from '@nestjs/common';
import { digestToken } from '#kernel/crypto/tokens.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { logger } from '#kernel/log/logger.js';
import { Mails } from '#kernel/mail/mails.js';
import { UserAddressesService, type Confirmation } from '#core/users/addresses/user-addresses.service.js';
import { UserEmailsService } from '#core/users/addresses/user-emails.service.js';
import { User } from '#core/users/user.entity.js';
import { confirmationMail } from './mails/confirmation.mail.js';
import { EmailConfirmation } from './links/email-confirmation.entity.js';
import { MailLimit } from './mail.limit.js';
import { addLink, CONFIRMATION_LIFE_MS, isOpen } from './links/mailed-link.js';

/** Data of a link's page before the confirmation. */
export interface PendingConfirmation {
  readonly address: string;
  readonly username: string;
}

/** Mails links to addresses; their tokens prove that the user reads mail there. */
@Injectable()
export class EmailConfirmationsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly addresses: UserAddressesService,
    private readonly emails: UserEmailsService,
    private readonly throttle: MailLimit,
    private readonly mails: Mails,
    private readonly links: Links,
  ) {}

  /**
   * Mails a link to an address of the user; false if too many were sent recently. Earlier links stay valid
   * until they expire.
   */
  async send(tx: Tx, user: User, address: string): Promise<boolean> {
    if (!(await this.throttle.admit('confirmation', user.id, address))) {
      logger.warn({ userId: user.id }, 'Too many confirmation mails: one was not sent');
      return false;
    }
    const token = await addLink(tx, EmailConfirmation, user, address, CONFIRMATION_LIFE_MS);
    const url = `${this.links.base}/-/profile/emails/confirm?token=${token}`;
    await this.mails.enqueue(tx, confirmationMail({ to: address, username: user.username, url }));
    return true;
  }

  /** Mails another link to an unconfirmed secondary address of the user; false as `send`. @throws 404 */
  async resend(userId: number, emailId: number): Promise<boolean> {
    const { email, confirmed_at: confirmedAt } = await this.emails.find(userId, emailId);
    if (confirmedAt !== null) throw notFound('Email');
    return this.transactions.run(async (tx) =>
      this.send(tx, await tx.findOneByOrFail(User, { id: userId }), email),
    );
  }

  /**
   * Returns the user and address of a link; null if it is unknown, or was used or has expired without effect.
   */
  async findOrNull(token: string): Promise<PendingConfirmation | null> {
    return this.transactions.run(async (tx) => {
      const link = await tx.findOneBy(EmailConfirmation, { digest: digestToken(token) });
      const user = link && (await tx.findOneBy(User, { id: link.userId, pendingDelete: false }));
      if (!user || !(isOpen(link) || (await this.addresses.hasConfirmed(tx, user, link.address))))
        return null;
      return { address: link.address, username: user.username };
    });
  }

  /** Confirms exactly the address to which the link was sent; idempotent. Null as `findOrNull`. */
  async confirm(token: string): Promise<Confirmation | null> {
    return this.transactions.run(async (tx) => {
      const link = await tx.findOne(EmailConfirmation, {
        where: { digest: digestToken(token) },
        lock: { mode: 'pessimistic_write' },
      });
      if (!link) return null;
      if (!isOpen(link)) {
        const user = await tx.findOneBy(User, { id: link.userId, pendingDelete: false });
        return user && (await this.addresses.hasConfirmed(tx, user, link.address)) ? 'already' : null;
      }
      const outcome = await this.addresses.confirm(tx, link.userId, link.address);
      await tx.update(EmailConfirmation, { id: link.id }, { usedAt: new Date() });
      return outcome;
    });
  }
}
