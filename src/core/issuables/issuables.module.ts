import { Module } from '@nestjs/common';
import { ProjectReaders } from './project-readers.js';
import { ResourceEventsQueries } from './resource-events/resource-events.queries.js';

/** What issues, merge requests and epics have in common. */
@Module({
  providers: [ProjectReaders, ResourceEventsQueries],
  exports: [ProjectReaders, ResourceEventsQueries],
})
export class IssuablesModule {}
