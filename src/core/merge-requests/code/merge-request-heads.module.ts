import { Module } from '@nestjs/common';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { MergeRequestHeadsService } from './merge-request-heads.service.js';

/** Heads of the branches of merge requests; below the modules of their records, which need it. */
@Module({
  imports: [RepositoriesModule],
  providers: [MergeRequestHeadsService],
  exports: [MergeRequestHeadsService],
})
export class MergeRequestHeadsModule {}
