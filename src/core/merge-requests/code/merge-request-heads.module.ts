import { Module } from '@nestjs/common';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { MergeRequestHeadsService } from './merge-request-heads.service.js';

/** Where the branches of merge requests are; below their records, which ask for it. */
@Module({
  imports: [RepositoriesModule],
  providers: [MergeRequestHeadsService],
  exports: [MergeRequestHeadsService],
})
export class MergeRequestHeadsModule {}
