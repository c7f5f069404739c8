import { Module } from '@nestjs/common';
import { CommitPresenting } from './commits/commit-presenting.js';
import { CommitReading } from './commits/commit-reading.js';
import { CommitSurroundingsController } from './commits/commit-surroundings.controller.js';
import { CommitWritesController } from './commits/commit-writes.controller.js';
import { CommitWriting } from './commits/commit-writing.js';
import { CommitsController } from './commits/commits.controller.js';
import { CompareController } from './commits/compare.controller.js';
import { RepositoriesModule } from './repositories.module.js';

/** The code of projects: commits, trees and files. */
@Module({
  imports: [RepositoriesModule],
  controllers: [CommitsController, CommitWritesController, CommitSurroundingsController, CompareController],
  providers: [CommitPresenting, CommitReading, CommitWriting],
})
export class CodeModule {}
