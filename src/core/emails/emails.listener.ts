import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { EmailAdded } from '#core/users/email-added.event.js';
import { PasswordResetRequested } from '#core/users/password-reset-requested.event.js';
import { UserCreated } from '#core/users/user-created.event.js';
import { EmailConfirmations } from './email-confirmations.service.js';
import { PasswordResets } from './password-resets.service.js';

/** Mails links for what happens to users: with the same commit, or not at all. */
@Injectable()
export class EmailsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly confirmations: EmailConfirmations,
    private readonly resets: PasswordResets,
  ) {}

  onModuleInit(): void {
    this.events.on(EmailAdded, async ({ user, address }, tx) => {
      await this.confirmations.send(tx, user, address);
    });
    this.events.on(UserCreated, async ({ user }, tx) => {
      if (user.confirmedAt === null) await this.confirmations.send(tx, user, user.email);
    });
    this.events.on(PasswordResetRequested, ({ user }, tx) => this.resets.send(tx, user));
  }
}
