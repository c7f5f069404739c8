import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { GroupsModule } from '#core/groups/groups.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { CommitPresenter } from './commits/commit.presenter.js';
import { CommitReadingService } from './commits/commit-reading.service.js';
import { CommitSurroundingsController } from './commits/commit-surroundings.controller.js';
import { CommitWritesController } from './commits/writes/commit-writes.controller.js';
import { CommitWritingService } from './commits/writes/commit-writing.service.js';
import { CommitsController } from './commits/commits.controller.js';
import { CompareController } from './commits/compare.controller.js';
import { FirstReadmeService } from './commits/writes/first-readme.service.js';
import { FileReadingService } from './files/file-reading.service.js';
import { FileWritesController } from './files/file-writes.controller.js';
import { FilesController } from './files/files.controller.js';
import { ForksController } from './forks/forks.controller.js';
import { ForksService } from './forks/forks.service.js';
import { ProtectionModule } from './protection/protection.module.js';
import { RepositoriesModule } from './repositories.module.js';
import { ArchiveController } from './tree/archive.controller.js';
import { BlobsController } from './tree/blobs.controller.js';
import { TreeController } from './tree/tree.controller.js';

/** The code of projects: commits, trees and files. */
@Module({
  imports: [AuditModule, GroupsModule, ProjectsModule, ProtectionModule, RepositoriesModule],
  controllers: [
    CommitsController,
    CommitWritesController,
    CommitSurroundingsController,
    CompareController,
    TreeController,
    BlobsController,
    ArchiveController,
    FilesController,
    FileWritesController,
    ForksController,
  ],
  providers: [
    CommitPresenter,
    CommitReadingService,
    CommitWritingService,
    FileReadingService,
    FirstReadmeService,
    ForksService,
  ],
  exports: [CommitReadingService, FirstReadmeService],
})
export class CodeModule {}
