import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Mails } from '#kernel/mail/mails.js';
import type { Tx } from '#kernel/database/transactions.js';
import { AccountChanged } from '#core/users/events/account-changed.event.js';
import { AccountNotice } from '#core/users/events/account-notice.event.js';
import { EmailAdded } from '#core/users/events/email-added.event.js';
import { PasswordResetRequested } from '#core/users/events/password-reset-requested.event.js';
import { UserCreated } from '#core/users/events/user-created.event.js';
import { EmailConfirmationsService } from './email-confirmations.service.js';
import { accountNoticeMail } from './mails/account-notice.mail.js';
import { changeNoticeMail } from './mails/change-notice.mail.js';
import { PasswordResetsService } from './password-resets.service.js';

/** Persons with an active account and a confirmed address. */
const READER = `select email, username from users where id = $1 and state = 'active' and user_type = 'human'
  and confirmed_at is not null and not pending_delete`;

/** Mails links and notices for events of users, and invalidates links, in the same commit. */
@Injectable()
export class EmailsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly confirmations: EmailConfirmationsService,
    private readonly resets: PasswordResetsService,
    private readonly mails: Mails,
  ) {}

  onModuleInit(): void {
    this.events.on(EmailAdded, async ({ user, address }, tx) => {
      await this.confirmations.send(tx, user, address);
    });
    this.events.on(UserCreated, async ({ user }, tx) => {
      if (user.confirmedAt === null) await this.confirmations.send(tx, user, user.email);
    });
    this.events.on(AccountChanged, async ({ user, what }, tx) => {
      const { id, email: to, username, confirmedAt } = user;
      if (what === 'password') await this.resets.invalidate(tx, id);
      if (confirmedAt !== null) await this.mails.enqueue(tx, changeNoticeMail({ to, username, what }));
    });
    this.events.on(AccountNotice, (told, tx) => this.tell(told, tx));
    this.events.on(PasswordResetRequested, ({ user }, tx) => this.resets.send(tx, user));
  }

  private async tell({ userId, content }: AccountNotice, tx: Tx): Promise<void> {
    const [reader] = await tx.query<{ email: string; username: string }[]>(READER, [userId]);
    if (!reader) return;
    const { email: to, username } = reader;
    await this.mails.enqueue(tx, accountNoticeMail({ to, username, content, at: new Date() }));
  }
}
