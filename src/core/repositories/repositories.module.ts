import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { CodePushReaderContribution } from './effects/code-push-reader.contribution.js';
import { DefaultBranchListener } from './effects/default-branch.listener.js';
import { DefaultBranchRules } from './effects/default-branch.rules.js';
import { FilledRepositoryService } from './effects/filled-repository.service.js';
import { HeadFollowingService } from './effects/head-following.service.js';
import { KeptGitsService } from './git/kept/kept-gits.service.js';
import { CommitKeepingService } from './keep-around/commit-keeping.service.js';
import { RepositoryMeasuringService } from './measure/repository-measuring.service.js';
import { SnippetSizesService } from './measure/snippet-sizes.service.js';
import { RepositoryUpkeepService } from './measure/repository-upkeep.service.js';
import { ForkStatesService } from './forks/fork-states.service.js';
import { MoveRetriesService } from './effects/move-retries.service.js';
import { ProtectionModule } from './protection/protection.module.js';
import { AuthorsQueries } from './pushes/authors.queries.js';
import { PushCompletionService } from './pushes/recovery/push-completion.service.js';
import { PushReadersRegistry } from './pushes/recovery/push-readers.registry.js';
import { PushRulesRegistry } from './pushes/push-rules.registry.js';
import { RepositoryWritesService } from './pushes/repository-writes.service.js';
import { RunningPushesService } from './pushes/running-pushes.service.js';
import { OwnRefsService } from './refs/own-refs.service.js';
import { SmallPushesService } from './pushes/small/small-pushes.service.js';
import { ProjectSnippetsService } from './removal/project-snippets.service.js';
import { RemovedOwnersListener } from './removal/removed-owners.listener.js';
import { RepositoryRemovalService } from './removal/repository-removal.service.js';
import { RepositoriesService } from './repositories.service.js';
import { Repository } from './repository.entity.js';
import { StorageHealthContribution } from './storage-health.contribution.js';
import { StorageSpaceContribution } from './storage-space.contribution.js';
import { AdoptStorage } from './storages/adopt-storage.use-case.js';
import { RepositoryPresenceService } from './storages/repository-presence.service.js';
import { StorageRootsService } from './storages/storage-roots.service.js';
import { StoragesService } from './storages.service.js';

/** Providers exported to other modules. */
const shared = [
  AdoptStorage,
  AuthorsQueries,
  CommitKeepingService,
  DefaultBranchRules,
  FilledRepositoryService,
  ForkStatesService,
  HeadFollowingService,
  MoveRetriesService,
  OwnRefsService,
  ProjectSnippetsService,
  PushCompletionService,
  PushReadersRegistry,
  PushRulesRegistry,
  RepositoriesService,
  RepositoryMeasuringService,
  RepositoryPresenceService,
  RepositoryRemovalService,
  RepositoryUpkeepService,
  RepositoryWritesService,
  RunningPushesService,
  SmallPushesService,
  SnippetSizesService,
  StorageRootsService,
  StoragesService,
  StorageSpaceContribution,
];

/** Git repositories: their storages, changes, and the effects of pushes. */
@Module({
  imports: [TypeOrmModule.forFeature([Repository]), InstanceModule, ProjectsModule, ProtectionModule],
  providers: [
    ...shared,
    CodePushReaderContribution,
    DefaultBranchListener,
    RemovedOwnersListener,
    StorageHealthContribution,
    KeptGitsService,
  ],
  exports: shared,
})
export class RepositoriesModule {}
