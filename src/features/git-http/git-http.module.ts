import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { JobTokensModule } from '#core/repositories/job-tokens.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { SignInModule } from '#core/sign-in/sign-in.module.js';
import { SnippetsModule } from '#core/snippets/snippets.module.js';
import { TokensModule } from '#core/tokens/tokens.module.js';
import { TwoFactorModule } from '#core/two-factor/two-factor.module.js';
import { GitAccess } from './access/git-access.js';
import { GitAuthentication } from './access/git-authentication.js';
import { GitPasswords } from './access/git-passwords.js';
import { GitHttpController } from './git-http.controller.js';
import { AdvertisementService } from './packs/advertisement.service.js';
import { FetchService } from './packs/fetch.service.js';
import { GitLimits } from './packs/git-limits.js';
import { GitRepositories } from './packs/git-repositories.js';
import { PackRuns } from './packs/pack-runs.js';
import { SharedPacksService } from './packs/shared/shared-packs.service.js';
import { PushService } from './push/push.service.js';

/** Clones, fetches and pushes over HTTP. */
@Module({
  imports: [
    InstanceModule,
    OauthTokensModule,
    TokensModule,
    SignInModule,
    TwoFactorModule,
    RepositoriesModule,
    JobTokensModule,
    ProtectionModule,
    SnippetsModule,
  ],
  controllers: [GitHttpController],
  providers: [
    AdvertisementService,
    FetchService,
    GitAccess,
    GitAuthentication,
    GitLimits,
    GitPasswords,
    GitRepositories,
    PackRuns,
    PushService,
    SharedPacksService,
  ],
})
export class GitHttpModule {}
