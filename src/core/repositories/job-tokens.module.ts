import { Module } from '@nestjs/common';
import { JobTokensRegistry } from './job-tokens.registry.js';

/** Where git asks for the tokens of running jobs, and where those who run jobs answer. */
@Module({ providers: [JobTokensRegistry], exports: [JobTokensRegistry] })
export class JobTokensModule {}
