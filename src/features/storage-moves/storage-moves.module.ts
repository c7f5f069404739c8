import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ClaimMoveStep } from './engine/claim-move.step.js';
import { CleanUpStep } from './engine/cleanup/clean-up.step.js';
import { CopyRepositoriesStep } from './engine/copying/copy-repositories.step.js';
import { EndMoveStep } from './engine/end-move.step.js';
import { FailMoveStep } from './engine/fail-move.step.js';
import { LeftoversService } from './engine/cleanup/leftovers.service.js';
import { MoveJournalService } from './engine/run/move-journal.service.js';
import { MoveOwnersService } from './engine/move-owners.service.js';
import { MoveTimings } from './engine/run/move-timings.js';
import { SwitchStorageStep } from './engine/switch-storage.step.js';
import { WaitForPushesStep } from './engine/wait-for-pushes.step.js';
import { MoveCountsQueries } from './move-counts.queries.js';
import { MoveSlotsLimit } from './move-slots.limit.js';
import { ScheduleBulkMoves } from './schedule/schedule-bulk-moves.use-case.js';
import { MoveAudit } from './schedule/move.audit.js';
import { MovePlansQueries } from './schedule/move-plans.queries.js';
import { MoveSchedulingService } from './schedule/move-scheduling.service.js';
import { WantedStoragesListener } from './schedule/wanted-storages.listener.js';
import { STORAGE_MOVE_CONTROLLERS } from './storage-moves.controllers.js';
import { StorageMovesQueries } from './storage-moves.queries.js';
import { StorageMovesService } from './storage-moves.service.js';
import { StagingSweepService } from './watch/staging-sweep.service.js';
import { StrayOwnersService } from './watch/stray-owners.service.js';

/** The steps of the engine, for its processors. */
const engine = [
  ClaimMoveStep,
  WaitForPushesStep,
  CopyRepositoriesStep,
  SwitchStorageStep,
  CleanUpStep,
  EndMoveStep,
  FailMoveStep,
  MoveSlotsLimit,
  ScheduleBulkMoves,
  StrayOwnersService,
  StagingSweepService,
];

/** Moves of repositories between storages. */
@Module({
  imports: [AuditModule, InstanceModule, ProjectsModule, RepositoriesModule],
  controllers: STORAGE_MOVE_CONTROLLERS,
  providers: [
    ...engine,
    LeftoversService,
    MoveAudit,
    MoveCountsQueries,
    MoveJournalService,
    MoveOwnersService,
    MovePlansQueries,
    MoveSchedulingService,
    MoveTimings,
    StorageMovesQueries,
    StorageMovesService,
    WantedStoragesListener,
  ],
  exports: [...engine, MovePlansQueries, StorageMovesQueries, StorageMovesService],
})
export class StorageMovesModule {}
