import { Module } from '@nestjs/common';
import { TokensModule } from '#core/tokens/tokens.module.js';
import { AccessTokensController } from './access-tokens.controller.js';

/** Module of the pages of personal access tokens. */
@Module({ imports: [TokensModule], controllers: [AccessTokensController] })
export class AccessTokensModule {}
