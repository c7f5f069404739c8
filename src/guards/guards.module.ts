import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { SessionsModule } from '#core/sessions/sessions.module.js';
import { TokensModule } from '#core/tokens/tokens.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { AccessResolverQueries } from './access/access-resolver.queries.js';
import { BearerStrategy } from './credentials/bearer.strategy.js';
import { PageAccessPolicy } from './credentials/page-access.policy.js';
import { SecondFactorPolicy } from './second-factor.policy.js';
import { ThrottleLimit } from './throttle.limit.js';

const services = [AccessResolverQueries, ThrottleLimit, PageAccessPolicy, SecondFactorPolicy];

/** Dependencies of the guards; the guards themselves are listed in order in api.module. */
@Module({
  imports: [InstanceModule, AuditModule, SessionsModule, TokensModule, OauthTokensModule, UsersModule],
  providers: [...services, BearerStrategy],
  exports: [...services, InstanceModule, AuditModule],
})
export class GuardsModule {}
