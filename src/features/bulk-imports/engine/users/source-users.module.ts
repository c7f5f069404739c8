import { Module } from '@nestjs/common';
import { ImportLimits } from '../import-limits.js';
import { MatchedPeopleService } from './matched-people.service.js';
import { SourceUsersService } from './source-users.service.js';

/** Who users of the source are here; for the engine and for steps that bring members. */
@Module({
  providers: [ImportLimits, MatchedPeopleService, SourceUsersService],
  exports: [ImportLimits, SourceUsersService],
})
export class SourceUsersModule {}
