import { Module } from '@nestjs/common';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { ApplicationsController } from './applications.controller.js';

/** `/api/v4/applications`. */
@Module({ imports: [OauthTokensModule], controllers: [ApplicationsController] })
export class ApplicationsModule {}
