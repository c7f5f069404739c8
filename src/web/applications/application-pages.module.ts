import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { ApplicationPagesService } from './application-pages.service.js';
import { AuthorizedApplicationsController } from './authorized-applications.controller.js';
import { AuthorizedApplicationsQueries } from './authorized-applications.queries.js';
import { InstanceApplicationsController } from './instance-applications.controller.js';
import { OwnApplicationsController } from './own-applications.controller.js';

/** The pages of applications: a user's own, the instance's, and those that may act for a user. */
@Module({
  imports: [OauthTokensModule, InstanceModule],
  controllers: [OwnApplicationsController, InstanceApplicationsController, AuthorizedApplicationsController],
  providers: [ApplicationPagesService, AuthorizedApplicationsQueries],
})
export class ApplicationPagesModule {}
