import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { FirstUses } from './rotation/first-uses.js';
import { ImpersonationTokensController } from './impersonation-tokens.controller.js';
import { OwnTokenController } from './own-token.controller.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';
import { PersonalAccessTokensController } from './personal-access-tokens.controller.js';
import { RotateToken } from './rotation/rotate-token.js';
import { TokenAudit } from './token-audit.js';
import { TokenFamilies } from './rotation/token-families.js';
import { TokenUse } from './token-use.js';
import { TokensQueries } from './tokens.queries.js';
import { TokensService } from './tokens.service.js';
import { UserTokensController } from './user-tokens.controller.js';

const services = [TokensService, TokensQueries, TokenFamilies, TokenAudit, RotateToken, TokenUse, FirstUses];

/** Personal and impersonation tokens; `self` stands before `:id`. */
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
