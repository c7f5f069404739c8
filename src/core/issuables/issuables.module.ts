import { Module } from '@nestjs/common';
import { ProjectReadersQueries } from './project-readers.queries.js';
import { ResourceEventsQueries } from './resource-events/resource-events.queries.js';

/** Shared parts of issues, merge requests and epics. */
@Module({
  providers: [ProjectReadersQueries, ResourceEventsQueries],
  exports: [ProjectReadersQueries, ResourceEventsQueries],
})
export class IssuablesModule {}
