import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '#core/users/users.module.js';
import { EmailConfirmation } from './links/email-confirmation.entity.js';
import { EmailConfirmationsService } from './email-confirmations.service.js';
import { EmailsListener } from './emails.listener.js';
import { LinkRequests } from './links/link-requests.js';
import { MailThrottle } from './mail-throttle.js';
import { PasswordReset } from './links/password-reset.entity.js';
import { PasswordResetsService } from './password-resets.service.js';

/** Links that are mailed to users: to confirm an address, to choose a new password. */
@Module({
  imports: [TypeOrmModule.forFeature([EmailConfirmation, PasswordReset]), UsersModule],
  providers: [EmailConfirmationsService, PasswordResetsService, LinkRequests, MailThrottle, EmailsListener],
  exports: [EmailConfirmationsService, PasswordResetsService, LinkRequests],
})
export class EmailsModule {}
