import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '#core/users/users.module.js';
import { EmailConfirmation } from './links/email-confirmation.entity.js';
import { EmailConfirmationsService } from './email-confirmations.service.js';
import { EmailsListener } from './emails.listener.js';
import { RequestLink } from './links/request-link.use-case.js';
import { MailLimit } from './mail.limit.js';
import { PasswordReset } from './links/password-reset.entity.js';
import { PasswordResetsService } from './password-resets.service.js';

/** Links mailed to users: to confirm an address, or to set a new password. */
@Module({
  imports: [TypeOrmModule.forFeature([EmailConfirmation, PasswordReset]), UsersModule],
  providers: [EmailConfirmationsService, PasswordResetsService, RequestLink, MailLimit, EmailsListener],
  exports: [EmailConfirmationsService, PasswordResetsService, RequestLink],
})
export class EmailsModule {}
