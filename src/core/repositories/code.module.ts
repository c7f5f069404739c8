import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { GroupsModule } from '#core/groups/groups.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { CommitPresenting } from './commits/commit-presenting.js';
import { CommitReading } from './commits/commit-reading.js';
import { CommitSurroundingsController } from './commits/commit-surroundings.controller.js';
import { CommitWritesController } from './commits/writes/commit-writes.controller.js';
import { CommitWriting } from './commits/writes/commit-writing.js';
import { CommitsController } from './commits/commits.controller.js';
import { CompareController } from './commits/compare.controller.js';
import { FirstReadme } from './commits/writes/first-readme.js';
import { FileReading } from './files/file-reading.js';
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
  providers: [CommitPresenting, CommitReading, CommitWriting, FileReading, FirstReadme, ForksService],
  exports: [CommitReading],
})
export class CodeModule {}
