import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { ClaimsQueries } from './claims.queries.js';
import { CurrentKeyService } from './keys/current-key.service.js';
import { DiscoveryController } from './discovery.controller.js';
import { IdTokensService } from './id-tokens.service.js';
import { LegacySubjectsService } from './legacy-subjects.service.js';
import { SigningKey } from './keys/signing-key.entity.js';
import { SigningKeysQueries } from './keys/signing-keys.queries.js';
import { SigningKeysService } from './keys/signing-keys.service.js';
import { UserinfoService } from './userinfo.service.js';
import { UserinfoController } from './userinfo.controller.js';
import { WebfingerController } from './webfinger.controller.js';

/** OpenID Connect for the OAuth provider: id_tokens and their keys, userinfo, discovery. */
@Module({
  imports: [TypeOrmModule.forFeature([SigningKey]), OauthTokensModule],
  controllers: [DiscoveryController, UserinfoController, WebfingerController],
  providers: [
    ClaimsQueries,
    CurrentKeyService,
    IdTokensService,
    LegacySubjectsService,
    SigningKeysQueries,
    SigningKeysService,
    UserinfoService,
  ],
  exports: [IdTokensService, SigningKeysService],
})
export class OpenidModule {}
