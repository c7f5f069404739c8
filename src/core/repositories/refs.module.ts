import { Module } from '@nestjs/common';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { BranchesController } from './branches/branches.controller.js';
import { BranchesQueries } from './branches/branches.queries.js';
import { BranchesService } from './branches/branches.service.js';
import { BranchProtectionController } from './protected-branches/branch-protection.controller.js';
import { ProtectedBranchesController } from './protected-branches/protected-branches.controller.js';
import { ProtectedBranchesService } from './protected-branches/protected-branches.service.js';
import { ProtectedBranchesExchange } from './protected-branches/protected-branches.exchange.js';
import { ProtectedTagsController } from './protected-tags/protected-tags.controller.js';
import { ProtectedTagsExchange } from './protected-tags/protected-tags.exchange.js';
import { ProtectionModule } from './protection/protection.module.js';
import { ProtectionPushRuleContribution } from './protection/protection-push-rule.contribution.js';
import { NameFilterService } from './refs/name-filter.service.js';
import { RepositoriesModule } from './repositories.module.js';
import { TagsController } from './tags/tags.controller.js';
import { TagsQueries } from './tags/tags.queries.js';
import { TagsService } from './tags/tags.service.js';

/** Branches and tags of projects, and their protection. */
@Module({
  imports: [RepositoriesModule, ProtectionModule, ExchangeModule],
  controllers: [
    BranchesController,
    BranchProtectionController,
    ProtectedBranchesController,
    ProtectedTagsController,
    TagsController,
  ],
  providers: [
    BranchesQueries,
    BranchesService,
    NameFilterService,
    ProtectedBranchesService,
    ProtectedBranchesExchange,
    ProtectedTagsExchange,
    ProtectionPushRuleContribution,
    TagsQueries,
    TagsService,
  ],
})
export class RefsModule {}
