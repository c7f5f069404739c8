import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { SessionsModule } from '#core/sessions/sessions.module.js';
import { TokensModule } from '#core/tokens/tokens.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { AccessResolver } from './access/access-resolver.js';
import { BearerStrategy } from './credentials/bearer.strategy.js';
import { PageAccess } from './credentials/page-access.js';
import { SecondFactorDuty } from './second-factor-duty.js';
import { Throttle } from './throttle.js';

const services = [AccessResolver, Throttle, PageAccess, SecondFactorDuty];

/** What the guards stand on; the guards themselves are listed in their order in api.module. */
@Module({
  imports: [InstanceModule, AuditModule, SessionsModule, TokensModule, OauthTokensModule, UsersModule],
  providers: [...services, BearerStrategy],
  exports: [...services, InstanceModule, AuditModule],
})
export class GuardsModule {}
