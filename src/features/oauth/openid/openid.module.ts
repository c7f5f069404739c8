import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { ClaimsQueries } from './claims.queries.js';
import { CurrentKey } from './keys/current-key.js';
import { DiscoveryController } from './discovery.controller.js';
import { IdTokens } from './id-tokens.js';
import { LegacySubjects } from './legacy-subjects.js';
import { SigningKey } from './keys/signing-key.entity.js';
import { SigningKeysQueries } from './keys/signing-keys.queries.js';
import { SigningKeysService } from './keys/signing-keys.service.js';
import { Userinfo } from './userinfo.js';
import { UserinfoController } from './userinfo.controller.js';
import { WebfingerController } from './webfinger.controller.js';

/** OpenID Connect on top of the OAuth provider: id_tokens and their keys, userinfo, discovery. */
@Module({
  imports: [TypeOrmModule.forFeature([SigningKey]), OauthTokensModule],
  controllers: [DiscoveryController, UserinfoController, WebfingerController],
  providers: [
    ClaimsQueries,
    CurrentKey,
    IdTokens,
    LegacySubjects,
    SigningKeysQueries,
    SigningKeysService,
    Userinfo,
  ],
  exports: [IdTokens, SigningKeysService],
})
export class OpenidModule {}
