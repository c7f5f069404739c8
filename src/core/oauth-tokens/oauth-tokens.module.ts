import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { FirstUsesService } from '#core/tokens/rotation/first-uses.service.js';
import { ApplicationsQueries } from './applications/applications.queries.js';
import { ApplicationsService } from './applications/applications.service.js';
import { AuthorizedApplicationsService } from './applications/authorized-applications.service.js';
import { GrantsService } from './grants.service.js';
import { OauthApplication } from './applications/oauth-application.entity.js';
import { OauthAudit } from './oauth.audit.js';
import { OauthGrant } from './oauth-grant.entity.js';
import { OauthToken } from './oauth-token.entity.js';
import { TokenUseService } from '#core/tokens/token-use.service.js';
import { OauthTokensService } from './oauth-tokens.service.js';
import { OauthTokenRevocationService } from './oauth-token-revocation.service.js';

const services = [
  ApplicationsService,
  ApplicationsQueries,
  AuthorizedApplicationsService,
  GrantsService,
  FirstUsesService,
  OauthTokensService,
  TokenUseService,
  OauthAudit,
  OauthTokenRevocationService,
];

/** Applications of the OAuth provider, with codes and tokens. */
@Module({
  imports: [TypeOrmModule.forFeature([OauthApplication, OauthGrant, OauthToken]), AuditModule],
  providers: services,
  exports: services,
})
export class OauthTokensModule {}
