import { Module } from '@nestjs/common';
import { ProjectReadersQueries } from './project-readers.queries.js';
import { ResourceEventsQueries } from './resource-events/resource-events.queries.js';

/** What issues, merge requests and epics have in common. */
@Module({
  providers: [ProjectReadersQueries, ResourceEventsQueries],
  exports: [ProjectReadersQueries, ResourceEventsQueries],
})
export class IssuablesModule {}
