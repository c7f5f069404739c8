import { Module } from '@nestjs/common';
import { ImportLimits } from '../import-limits.js';
import { MatchedPeopleService } from './matched-people.service.js';
import { SourceUsersService } from './source-users.service.js';

/** Matching of source users with local users; for the engine and for steps that import members. */
@Module({
  providers: [ImportLimits, MatchedPeopleService, SourceUsersService],
  exports: [ImportLimits, SourceUsersService],
})
export class SourceUsersModule {}
