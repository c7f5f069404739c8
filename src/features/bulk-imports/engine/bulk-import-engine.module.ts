import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { BulkImportSourceModule } from '../source/bulk-import-source.module.js';
import { BulkImportStepsModule } from '../steps/bulk-import-steps.module.js';
import { ImportSweepService } from '../watch/import-sweep.service.js';
import { LostWorkService } from '../watch/lost-work.service.js';
import { OldImportsService } from '../watch/old-imports.service.js';
import { CancelBulkImport } from './control/cancel-bulk-import.use-case.js';
import { BulkImportProgressQueries } from './control/bulk-import-progress.queries.js';
import { ResumeEntities } from './control/resume-entities.use-case.js';
import { FailureRows } from './failure.row.js';
import { ExportStatusQueries } from './records/export-status.queries.js';
import { ImportFolderService } from './records/files/import-folder.service.js';
import { LoadBatchStep } from './records/load-batch.step.js';
import { PartialFilesService } from './records/files/partial-files.service.js';
import { PrepareBatchStep } from './records/prepare-batch.step.js';
import { RecordFilesService } from './records/files/record-files.service.js';
import { RecordsStep } from './records/records.step.js';
import { ClaimRelationStep } from './runs/claim-relation.step.js';
import { EndRelationStep } from './runs/end-relation.step.js';
import { ImportSourceService } from './runs/import-source.service.js';
import { OpenRelationStep } from './runs/open-relation.step.js';
import { PostponeRelationStep } from './runs/postpone-relation.step.js';
import { BeginEntityStep } from './states/begin-entity.step.js';
import { EndImportStep } from './states/end-import.step.js';
import { EntityStagesService } from './states/entity-stages.service.js';
import { ExportRequestService } from './states/export-request.service.js';
import { ImportEntitiesService } from './states/import-entities.service.js';
import { EntityStepsService } from './entity-steps.service.js';
import { TargetFinder } from './target/target.finder.js';
import { TargetPolicy } from './target/target.policy.js';
import { SourceUsersModule } from './users/source-users.module.js';

/** Providers for the processors of the engine and the watch. */
const engine = [
  BeginEntityStep,
  EndRelationStep,
  ExportRequestService,
  ImportEntitiesService,
  ImportSweepService,
  LostWorkService,
  OldImportsService,
  OpenRelationStep,
  PostponeRelationStep,
  RecordsStep,
  EntityStepsService,
];

/** Providers for showing and controlling migrations. */
const control = [CancelBulkImport, BulkImportProgressQueries, ResumeEntities];

/** Carries out migrations. */
@Module({
  imports: [InstanceModule, ExchangeModule, SourceUsersModule, BulkImportSourceModule, BulkImportStepsModule],
  providers: [
    ...engine,
    ...control,
    ClaimRelationStep,
    EndImportStep,
    EntityStagesService,
    ExportStatusQueries,
    FailureRows,
    ImportFolderService,
    ImportSourceService,
    LoadBatchStep,
    PartialFilesService,
    PrepareBatchStep,
    RecordFilesService,
    TargetFinder,
    TargetPolicy,
  ],
  exports: [...engine, ...control, SourceUsersModule],
})
export class BulkImportEngineModule {}
