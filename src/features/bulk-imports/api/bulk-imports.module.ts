import { Module } from '@nestjs/common';
import { GroupsModule } from '#core/groups/groups.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { BulkImportEngineModule } from '../engine/bulk-import-engine.module.js';
import { SourceUsersModule } from '../engine/users/source-users.module.js';
import { BulkImportSourceModule } from '../source/bulk-import-source.module.js';
import { BulkImportControl } from './control/bulk-import-control.js';
import { BulkImportCreation } from './creation/bulk-import-creation.js';
import { BulkImportEntitiesController } from './bulk-import-entities.controller.js';
import { BulkImportsController } from './bulk-imports.controller.js';
import { BulkImportsQueries } from './bulk-imports.queries.js';
import { BulkImportsService } from './creation/bulk-imports.service.js';
import { CreationLimit } from './creation/creation-limit.js';
import { DestinationChecks } from './creation/destination-checks.js';
import { DryRun } from './dry-run/dry-run.js';
import { ShownProgress } from './control/shown-progress.js';

/** Migrations over REST. */
@Module({
  imports: [
    GroupsModule,
    InstanceModule,
    ProjectsModule,
    BulkImportEngineModule,
    BulkImportSourceModule,
    SourceUsersModule,
  ],
  // `entities` is no id: its controller comes first.
  controllers: [BulkImportEntitiesController, BulkImportsController],
  providers: [
    BulkImportControl,
    BulkImportCreation,
    BulkImportsQueries,
    BulkImportsService,
    CreationLimit,
    DestinationChecks,
    DryRun,
    ShownProgress,
  ],
  exports: [BulkImportControl, BulkImportsQueries, ShownProgress],
})
export class BulkImportsModule {}
