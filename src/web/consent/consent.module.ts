import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { AuthorizationModule } from '#features/oauth/authorization/authorization.module.js';
import { ApplicationOwnerQueries } from './application-owner.queries.js';
import { AuthorizationAnswers } from './authorization-answers.js';
import { AuthorizationFlow } from './authorization-flow.js';
import { ConsentController } from './consent.controller.js';

/** The pages on which users authorize applications. */
@Module({
  imports: [InstanceModule, AuthorizationModule],
  controllers: [ConsentController],
  providers: [ApplicationOwnerQueries, AuthorizationAnswers, AuthorizationFlow],
})
export class ConsentModule {}
