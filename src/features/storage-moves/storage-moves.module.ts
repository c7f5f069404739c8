import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ClaimMove } from './engine/claim-move.js';
import { CleanUp } from './engine/cleanup/clean-up.js';
import { CopyRepositories } from './engine/copying/copy-repositories.js';
import { EndMove } from './engine/end-move.js';
import { FailMove } from './engine/fail-move.js';
import { Leftovers } from './engine/cleanup/leftovers.js';
import { MoveJournal } from './engine/run/move-journal.js';
import { MoveOwners } from './engine/move-owners.js';
import { MoveTimings } from './engine/run/move-timings.js';
import { StepObserver } from './engine/run/step-observer.js';
import { SwitchStorage } from './engine/switch-storage.js';
import { WaitForPushes } from './engine/wait-for-pushes.js';
import { MoveCountQueries } from './move-counts.js';
import { MoveSlots } from './move-slots.js';
import { BulkScheduling } from './schedule/bulk-scheduling.js';
import { MoveAudit } from './schedule/move-audit.js';
import { MovePlans } from './schedule/move-plans.js';
import { MoveScheduling } from './schedule/move-scheduling.js';
import { WantedStoragesListener } from './schedule/wanted-storages.listener.js';
import { STORAGE_MOVE_CONTROLLERS } from './storage-moves.controllers.js';
import { StorageMovesQueries } from './storage-moves.queries.js';
import { StorageMovesService } from './storage-moves.service.js';
import { StagingSweep } from './watch/staging-sweep.js';
import { StrayOwners } from './watch/stray-owners.js';

/** The steps of the engine, for its processors. */
const engine = [
  ClaimMove,
  WaitForPushes,
  CopyRepositories,
  SwitchStorage,
  CleanUp,
  EndMove,
  FailMove,
  MoveSlots,
  BulkScheduling,
  StrayOwners,
  StagingSweep,
];

/** Moves of repositories between storages. */
@Module({
  imports: [AuditModule, InstanceModule, ProjectsModule, RepositoriesModule],
  controllers: STORAGE_MOVE_CONTROLLERS,
  providers: [
    ...engine,
    Leftovers,
    MoveAudit,
    MoveCountQueries,
    MoveJournal,
    MoveOwners,
    MovePlans,
    MoveScheduling,
    MoveTimings,
    StepObserver,
    StorageMovesQueries,
    StorageMovesService,
    WantedStoragesListener,
  ],
  exports: [...engine, MovePlans, StorageMovesQueries, StorageMovesService],
})
export class StorageMovesModule {}
