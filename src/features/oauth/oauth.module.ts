import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { SignInModule } from '#core/sign-in/sign-in.module.js';
import { IntrospectionController } from './introspection/introspection.controller.js';
import { IntrospectionQueries } from './introspection/introspection.queries.js';
import { OpenidModule } from './openid/openid.module.js';
import { RevokeToken } from './revocation/revoke-token.use-case.js';
import { RevocationController } from './revocation/revocation.controller.js';
import { RevokedTokensQueries } from './revocation/revoked-tokens.queries.js';
import { TokenInfoController } from './token-info/token-info.controller.js';
import { TokenInfoQueries } from './token-info/token-info.queries.js';
import { AuthorizationCodeGrant } from './token/authorization-code.grant.js';
import { ClientsQueries } from './token/clients.queries.js';
import { CodesQueries } from './token/codes.queries.js';
import { PasswordGrant } from './token/password.grant.js';
import { RefreshTokenGrant } from './token/refresh-token.grant.js';
import { RefreshTokensQueries } from './token/refresh-tokens.queries.js';
import { TokenController } from './token/token.controller.js';
import { TokenReuseService } from './token/token-reuse.service.js';

/** Endpoints of the OAuth provider for clients: tokens, revocation, introspection, token information. */
@Module({
  imports: [InstanceModule, OauthTokensModule, SignInModule, OpenidModule],
  controllers: [TokenController, RevocationController, IntrospectionController, TokenInfoController],
  providers: [
    RevokeToken,
    AuthorizationCodeGrant,
    RefreshTokenGrant,
    PasswordGrant,
    TokenReuseService,
    ClientsQueries,
    CodesQueries,
    RefreshTokensQueries,
    RevokedTokensQueries,
    IntrospectionQueries,
    TokenInfoQueries,
  ],
})
export class OauthModule {}
