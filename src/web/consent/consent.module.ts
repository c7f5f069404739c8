import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { AuthorizationChecks } from '#features/oauth/authorization/authorization-checks.js';
import { AuthorizationsService } from '#features/oauth/authorization/authorizations.service.js';
import { AuthorizingUserQueries } from '#features/oauth/authorization/authorizing-user.queries.js';
import { ShownRequests } from '#features/oauth/authorization/shown-requests.js';
import { ApplicationOwnerQueries } from './application-owner.queries.js';
import { AuthorizationAnswers } from './authorization-answers.js';
import { AuthorizationFlow } from './authorization-flow.js';
import { ConsentController } from './consent.controller.js';

/** The pages on which users authorize applications. */
@Module({
  imports: [AuditModule, InstanceModule, OauthTokensModule],
  controllers: [ConsentController],
  providers: [
    AuthorizationChecks,
    AuthorizationsService,
    AuthorizingUserQueries,
    ShownRequests,
    ApplicationOwnerQueries,
    AuthorizationAnswers,
    AuthorizationFlow,
  ],
})
export class ConsentModule {}
