import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { FirstUsesService } from './rotation/first-uses.service.js';
import { ImpersonationTokensController } from './impersonation-tokens.controller.js';
import { OwnTokenController } from './own-token.controller.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';
import { PersonalAccessTokensController } from './personal-access-tokens.controller.js';
import { RotateToken } from './rotation/rotate-token.use-case.js';
import { TokenAudit } from './token.audit.js';
import { TokenFamiliesService } from './rotation/token-families.service.js';
import { TokenUseService } from './token-use.service.js';
import { TokensQueries } from './tokens.queries.js';
import { TokensService } from './tokens.service.js';
import { UserTokensController } from './user-tokens.controller.js';

const services = [
  TokensService,
  TokensQueries,
  TokenFamiliesService,
  TokenAudit,
  RotateToken,
  TokenUseService,
  FirstUsesService,
];

/** Personal and impersonation tokens; the route `self` must be registered before `:id`. */
@Module({
  imports: [TypeOrmModule.forFeature([PersonalAccessToken]), InstanceModule, AuditModule],
  controllers: [
    OwnTokenController,
    PersonalAccessTokensController,
    UserTokensController,
    ImpersonationTokensController,
  ],
  providers: services,
  exports: services,
})
export class TokensModule {}
