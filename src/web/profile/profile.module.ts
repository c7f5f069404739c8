import { Module } from '@nestjs/common';
import { EmailsModule } from '#core/emails/emails.module.js';
import { SignInModule } from '#core/sign-in/sign-in.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { ConfirmEmailController } from './confirm-email.controller.js';
import { EmailsController } from './emails.controller.js';
import { PrimaryEmailController } from './primary-email.controller.js';
import { ProfileController } from './profile.controller.js';

/**
 * Module of the pages of a user's profile and email addresses. The `confirm` route must precede those with
 * ids.
 */
@Module({
  imports: [UsersModule, EmailsModule, SignInModule],
  controllers: [ProfileController, ConfirmEmailController, EmailsController, PrimaryEmailController],
})
export class ProfileModule {}
