import { Module } from '@nestjs/common';
import { EmailsModule } from '#core/emails/emails.module.js';
import { LinkRequestsController } from './link-requests.controller.js';
import { NewPasswordController } from './new-password.controller.js';

/** Module of the pages for people who cannot sign in: forgotten passwords, unconfirmed accounts. */
@Module({ imports: [EmailsModule], controllers: [LinkRequestsController, NewPasswordController] })
export class PasswordResetModule {}
