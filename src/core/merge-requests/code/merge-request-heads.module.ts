import { Module } from '@nestjs/common';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { MergeRequestHeads } from './merge-request-heads.js';

/** Where the branches of merge requests are; below their records, which ask for it. */
@Module({
  imports: [RepositoriesModule],
  providers: [MergeRequestHeads],
  exports: [MergeRequestHeads],
})
export class MergeRequestHeadsModule {}
