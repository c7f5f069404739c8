import { Module } from '@nestjs/common';
import { TokenUse } from './token-use.js';

/** Personal and impersonation tokens. */
@Module({ providers: [TokenUse], exports: [TokenUse] })
export class TokensModule {}
