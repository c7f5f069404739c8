import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { FirstUses } from '#core/tokens/rotation/first-uses.js';
import { ApplicationsQueries } from './applications/applications.queries.js';
import { ApplicationsService } from './applications/applications.service.js';
import { AuthorizedApplications } from './applications/authorized-applications.js';
import { GrantsService } from './grants.service.js';
import { OauthApplication } from './applications/oauth-application.entity.js';
import { OauthAudit } from './oauth-audit.js';
import { OauthGrant } from './oauth-grant.entity.js';
import { OauthToken } from './oauth-token.entity.js';
import { OauthTokenUse } from './oauth-token-use.js';
import { OauthTokensService } from './oauth-tokens.service.js';
import { RevokeOauthTokens } from './revoke-oauth-tokens.js';

const services = [
  ApplicationsService,
  ApplicationsQueries,
  AuthorizedApplications,
  GrantsService,
  FirstUses,
  OauthTokensService,
  OauthTokenUse,
  OauthAudit,
  RevokeOauthTokens,
];

/** Applications of the OAuth provider with their codes and tokens. */
@Module({
  imports: [TypeOrmModule.forFeature([OauthApplication, OauthGrant, OauthToken]), AuditModule],
  providers: services,
  exports: services,
})
export class OauthTokensModule {}
