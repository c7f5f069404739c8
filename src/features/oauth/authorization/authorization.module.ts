import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { AuthorizationChecksService } from './checks/authorization-checks.service.js';
import { AuthorizationsService } from './authorizations.service.js';
import { AuthorizingUserQueries } from './authorizing-user.queries.js';
import { ShownRequestsService } from './shown-requests.service.js';

const services = [
  AuthorizationChecksService,
  AuthorizationsService,
  AuthorizingUserQueries,
  ShownRequestsService,
];

/** Checks authorization requests and issues codes; their pages are in `web/consent`. */
@Module({ imports: [AuditModule, OauthTokensModule], providers: services, exports: services })
export class AuthorizationModule {}
