import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { TwoFactorModule } from '#core/two-factor/two-factor.module.js';
import { SignInPagesModule } from '../sign-in/sign-in-pages.module.js';
import { SecondStepController } from './second-step.controller.js';
import { TwoFactorPageController } from './two-factor-page.controller.js';

/** Module of the second factor pages: the second step of signing in, and the user's own settings. */
@Module({
  imports: [InstanceModule, TwoFactorModule, SignInPagesModule],
  controllers: [SecondStepController, TwoFactorPageController],
})
export class SecondFactorPagesModule {}
