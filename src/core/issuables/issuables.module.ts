import { Module } from '@nestjs/common';
import { ProjectReaders } from './project-readers.js';
import { ResourceEventQueries } from './resource-events/resource-events.queries.js';

/** What issues, merge requests and epics have in common. */
@Module({
  providers: [ProjectReaders, ResourceEventQueries],
  exports: [ProjectReaders, ResourceEventQueries],
})
export class IssuablesModule {}
