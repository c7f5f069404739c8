import { Module } from '@nestjs/common';
import { EmailsModule } from '#core/emails/emails.module.js';
import { SignInModule } from '#core/sign-in/sign-in.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { ConfirmEmailController } from './confirm-email.controller.js';
import { EmailsController } from './emails.controller.js';
import { PrimaryEmailController } from './primary-email.controller.js';
import { ProfileController } from './profile.controller.js';

/** The pages of a user's profile and e-mail addresses; `confirm` stands before the ids. */
@Module({
  imports: [UsersModule, EmailsModule, SignInModule],
  controllers: [ProfileController, ConfirmEmailController, EmailsController, PrimaryEmailController],
})
export class ProfileModule {}
