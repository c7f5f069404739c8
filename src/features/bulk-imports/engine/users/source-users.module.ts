import { Module } from '@nestjs/common';
import { ImportLimits } from '../import-limits.js';
import { SourceUsers } from './source-users.js';

/** Who users of the source are here; for the engine and for steps that bring members. */
@Module({ providers: [ImportLimits, SourceUsers], exports: [ImportLimits, SourceUsers] })
export class SourceUsersModule {}
