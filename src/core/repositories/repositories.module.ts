import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { DefaultBranchListener } from './effects/default-branch.listener.js';
import { FilledRepository } from './effects/filled-repository.js';
import { HeadFollowing } from './effects/head-following.js';
import { PushedCodeListener } from './effects/pushed-code.listener.js';
import { KeptGitsEnd } from './git/kept/kept-gits-end.js';
import { CommitKeepingService } from './keep-around/commit-keeping.service.js';
import { RepositoryMeasuring } from './measure/repository-measuring.js';
import { RepositoryUpkeep } from './measure/repository-upkeep.js';
import { ForkStates } from './forks/fork-states.js';
import { ProtectionModule } from './protection/protection.module.js';
import { Authors } from './pushes/authors.js';
import { PushCompletion } from './pushes/recovery/push-completion.js';
import { PushRules } from './pushes/push-rules.js';
import { RepositoryWrites } from './pushes/repository-writes.js';
import { RunningPushes } from './pushes/running-pushes.js';
import { OwnRefsService } from './refs/own-refs.service.js';
import { SmallPushesService } from './pushes/small/small-pushes.service.js';
import { RemovedOwnersListener } from './removal/removed-owners.listener.js';
import { RepositoryRemoval } from './removal/repository-removal.js';
import { RepositoriesService } from './repositories.service.js';
import { Repository } from './repository.entity.js';
import { StorageHealth } from './storage-health.js';
import { AdoptStorage } from './storages/adopt-storage.js';
import { RepositoryPresence } from './storages/repository-presence.js';
import { StorageRoots } from './storages/storage-roots.js';
import { Storages } from './storages.js';

/** What modules above use. */
const shared = [
  AdoptStorage,
  Authors,
  CommitKeepingService,
  FilledRepository,
  ForkStates,
  HeadFollowing,
  OwnRefsService,
  PushCompletion,
  PushRules,
  RepositoriesService,
  RepositoryMeasuring,
  RepositoryPresence,
  RepositoryRemoval,
  RepositoryUpkeep,
  RepositoryWrites,
  RunningPushes,
  SmallPushesService,
  StorageRoots,
  Storages,
];

/** Git repositories: where they lie, who changes them, what a push causes. */
@Module({
  imports: [TypeOrmModule.forFeature([Repository]), InstanceModule, ProjectsModule, ProtectionModule],
  providers: [
    ...shared,
    DefaultBranchListener,
    PushedCodeListener,
    RemovedOwnersListener,
    StorageHealth,
    KeptGitsEnd,
  ],
  exports: shared,
})
export class RepositoriesModule {}
