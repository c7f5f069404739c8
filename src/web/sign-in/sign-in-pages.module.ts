import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { SignInModule } from '#core/sign-in/sign-in.module.js';
import { FinishSignIn } from './finish-sign-in.use-case.js';
import { PendingSignInService } from './pending-sign-in.service.js';
import { SignInController } from './sign-in.controller.js';
import { SignOutController } from './sign-out.controller.js';

/** Module of the sign-in and sign-out pages. */
@Module({
  imports: [InstanceModule, SignInModule],
  controllers: [SignInController, SignOutController],
  providers: [PendingSignInService, FinishSignIn],
  exports: [PendingSignInService, FinishSignIn, SignInModule],
})
export class SignInPagesModule {}
