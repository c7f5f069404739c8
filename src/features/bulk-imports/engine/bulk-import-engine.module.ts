import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { BulkImportSourceModule } from '../source/bulk-import-source.module.js';
import { BulkImportStepsModule } from '../steps/bulk-import-steps.module.js';
import { ImportSweep } from '../watch/import-sweep.js';
import { LostWork } from '../watch/lost-work.js';
import { OldImports } from '../watch/old-imports.js';
import { BulkImportCancellation } from './control/bulk-import-cancellation.js';
import { BulkImportProgress } from './control/bulk-import-progress.js';
import { EntityResume } from './control/entity-resume.js';
import { FailureRows } from './failure.row.js';
import { ImportObserver } from './import-observer.js';
import { ExportStatusQueries } from './records/export-status.queries.js';
import { ImportFolderService } from './records/files/import-folder.service.js';
import { LoadBatchStep } from './records/load-batch.step.js';
import { PartialFilesService } from './records/files/partial-files.service.js';
import { PrepareBatchStep } from './records/prepare-batch.step.js';
import { RecordFilesService } from './records/files/record-files.service.js';
import { RecordsStep } from './records/records.step.js';
import { ClaimRelation } from './runs/claim-relation.js';
import { EndRelation } from './runs/end-relation.js';
import { ImportSource } from './runs/import-source.js';
import { OpenRelation } from './runs/open-relation.js';
import { PostponeRelation } from './runs/postpone-relation.js';
import { BeginEntity } from './states/begin-entity.js';
import { EndImport } from './states/end-import.js';
import { EntityStages } from './states/entity-stages.js';
import { ExportRequest } from './states/export-request.js';
import { ImportEntities } from './states/import-entities.js';
import { StepList } from './step-list.js';
import { TargetLookup } from './target/target-facts.js';
import { TargetRights } from './target/target-rights.js';
import { SourceUsersModule } from './users/source-users.module.js';

/** For the processors of the engine and of the watch. */
const engine = [
  BeginEntity,
  EndRelation,
  ExportRequest,
  ImportEntities,
  ImportSweep,
  LostWork,
  OldImports,
  OpenRelation,
  PostponeRelation,
  RecordsStep,
  StepList,
];

/** For whoever shows and steers migrations. */
const control = [BulkImportCancellation, BulkImportProgress, EntityResume];

/** Carries migrations out. */
@Module({
  imports: [InstanceModule, TransferModule, SourceUsersModule, BulkImportSourceModule, BulkImportStepsModule],
  providers: [
    ...engine,
    ...control,
    ClaimRelation,
    EndImport,
    EntityStages,
    ExportStatusQueries,
    FailureRows,
    ImportFolderService,
    ImportObserver,
    ImportSource,
    LoadBatchStep,
    PartialFilesService,
    PrepareBatchStep,
    RecordFilesService,
    TargetLookup,
    TargetRights,
  ],
  exports: [...engine, ...control],
})
export class BulkImportEngineModule {}
