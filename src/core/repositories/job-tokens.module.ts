import { Module } from '@nestjs/common';
import { JobTokens } from './job-tokens.js';

/** Where git asks for the tokens of running jobs, and where those who run jobs answer. */
@Module({ providers: [JobTokens], exports: [JobTokens] })
export class JobTokensModule {}
