import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { AuthorizationModule } from '#features/oauth/authorization/authorization.module.js';
import { ApplicationOwnerQueries } from './application-owner.queries.js';
import { AuthorizationAnswersService } from './authorization-answers.service.js';
import { AuthorizationFlowService } from './authorization-flow.service.js';
import { ConsentController } from './consent.controller.js';

/** Module of the pages on which users authorize applications. */
@Module({
  imports: [InstanceModule, AuthorizationModule],
  controllers: [ConsentController],
  providers: [ApplicationOwnerQueries, AuthorizationAnswersService, AuthorizationFlowService],
})
export class ConsentModule {}
