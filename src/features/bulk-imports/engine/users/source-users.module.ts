import { Module } from '@nestjs/common';
import { ImportLimits } from '../import-limits.js';
import { MatchedPeople } from './matched-people.js';
import { SourceUsers } from './source-users.js';

/** Who users of the source are here; for the engine and for steps that bring members. */
@Module({ providers: [ImportLimits, MatchedPeople, SourceUsers], exports: [ImportLimits, SourceUsers] })
export class SourceUsersModule {}
