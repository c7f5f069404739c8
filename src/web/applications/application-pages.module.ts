import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { ApplicationPagesService } from './application-pages.service.js';
import { AuthorizedApplicationsController } from './authorized-applications.controller.js';
import { AuthorizedApplicationsQueries } from './authorized-applications.queries.js';
import { InstanceApplicationsController } from './instance-applications.controller.js';
import { OwnApplicationsController } from './own-applications.controller.js';

/**
 * Module of the application pages: a user's own applications, those of the instance, and those a user has
 * authorized.
 */
@Module({
  imports: [OauthTokensModule, InstanceModule],
  controllers: [OwnApplicationsController, InstanceApplicationsController, AuthorizedApplicationsController],
  providers: [ApplicationPagesService, AuthorizedApplicationsQueries],
})
export class ApplicationPagesModule {}
