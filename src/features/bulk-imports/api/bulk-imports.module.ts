import { Module } from '@nestjs/common';
import { GroupsModule } from '#core/groups/groups.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { BulkImportEngineModule } from '../engine/bulk-import-engine.module.js';
import { SourceUsersModule } from '../engine/users/source-users.module.js';
import { BulkImportSourceModule } from '../source/bulk-import-source.module.js';
import { ControlBulkImport } from './control/control-bulk-import.use-case.js';
import { CreateBulkImport } from './creation/create-bulk-import.use-case.js';
import { BulkImportEntitiesController } from './bulk-import-entities.controller.js';
import { BulkImportsController } from './bulk-imports.controller.js';
import { BulkImportsQueries } from './bulk-imports.queries.js';
import { RequestBulkImport } from './creation/request-bulk-import.use-case.js';
import { BulkImportCreationLimit } from './creation/bulk-import-creation.limit.js';
import { DestinationRules } from './creation/destination.rules.js';
import { DryRun } from './dry-run/dry-run.use-case.js';
import { ProgressPresenter } from './control/progress.presenter.js';

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
  // The path `entities` must be registered before ids.
  controllers: [BulkImportEntitiesController, BulkImportsController],
  providers: [
    ControlBulkImport,
    CreateBulkImport,
    BulkImportsQueries,
    RequestBulkImport,
    BulkImportCreationLimit,
    DestinationRules,
    DryRun,
    ProgressPresenter,
  ],
  exports: [ControlBulkImport, BulkImportsQueries, ProgressPresenter],
})
export class BulkImportsModule {}
