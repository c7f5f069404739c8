import { Module } from '@nestjs/common';
import { BranchesController } from './branches/branches.controller.js';
import { BranchesQueries } from './branches/branches.queries.js';
import { BranchesService } from './branches/branches.service.js';
import { ProtectionModule } from './protection/protection.module.js';
import { ProtectionRule } from './protection/protection-rule.js';
import { RepositoriesModule } from './repositories.module.js';

/** Branches and tags of projects, and who may change them. */
@Module({
  imports: [RepositoriesModule, ProtectionModule],
  controllers: [BranchesController],
  providers: [BranchesQueries, BranchesService, ProtectionRule],
})
export class RefsModule {}
