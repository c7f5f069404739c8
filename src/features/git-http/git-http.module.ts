import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { SignInModule } from '#core/sign-in/sign-in.module.js';
import { SnippetsModule } from '#core/snippets/snippets.module.js';
import { TokensModule } from '#core/tokens/tokens.module.js';
import { GitAccessPolicy } from './access/git-access.policy.js';
import { GitAuthenticationService } from './access/git-authentication.service.js';
import { GitPasswordsService } from './access/git-passwords.service.js';
import { GitHttpController } from './git-http.controller.js';
import { AdvertisementService } from './packs/advertisement.service.js';
import { FetchService } from './packs/fetch.service.js';
import { GitLimit } from './packs/git.limit.js';
import { GitRepositoriesService } from './packs/git-repositories.service.js';
import { PackRunsService } from './packs/pack-runs.service.js';
import { SharedPacksService } from './packs/shared/shared-packs.service.js';
import { PushService } from './push/push.service.js';

/** Clones, fetches and pushes over HTTP. */
@Module({
  imports: [
    InstanceModule,
    OauthTokensModule,
    TokensModule,
    SignInModule,
    RepositoriesModule,
    ProtectionModule,
    SnippetsModule,
  ],
  controllers: [GitHttpController],
  providers: [
    AdvertisementService,
    FetchService,
    GitAccessPolicy,
    GitAuthenticationService,
    GitLimit,
    GitPasswordsService,
    GitRepositoriesService,
    PackRunsService,
    PushService,
    SharedPacksService,
  ],
})
export class GitHttpModule {}
