import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { CreateSnippet } from './writes/create-snippet.use-case.js';
import { SnippetFinder } from './access/snippet.finder.js';
import { ProjectSnippetsController } from './project-snippets.controller.js';
import { RemoveSnippets } from './writes/remove-snippets.use-case.js';
import { SnippetAccessQueries } from './access/snippet-access.queries.js';
import { SnippetActionsService } from './snippet-actions.service.js';
import { SnippetPushRuleContribution } from './access/snippet-push-rule.contribution.js';
import { SnippetPushReaderContribution } from './files/snippet-push-reader.contribution.js';
import { SnippetRawService } from './files/snippet-raw.service.js';
import { SnippetRepositoryService } from './files/snippet-repository.service.js';
import { SnippetRulesService } from './snippet-rules.service.js';
import { Snippet } from './snippet.entity.js';
import { SnippetsController } from './snippets.controller.js';
import { SnippetsListener } from './snippets.listener.js';
import { SnippetsQueries } from './snippets.queries.js';
import { SnippetHistoryService } from './exchange/snippet-history.service.js';
import { SnippetsExporter } from './exchange/snippets.exporter.js';
import { SnippetsImporter } from './exchange/snippets.importer.js';
import { SnippetsExchange } from './exchange/snippets.exchange.js';
import { UpdateSnippet } from './writes/update-snippet.use-case.js';

/** Snippets, personal and of projects. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Snippet]),
    InstanceModule,
    ProjectsModule,
    RepositoriesModule,
    ExchangeModule,
    UsersModule,
  ],
  controllers: [SnippetsController, ProjectSnippetsController],
  providers: [
    RemoveSnippets,
    SnippetAccessQueries,
    SnippetActionsService,
    CreateSnippet,
    SnippetFinder,
    SnippetHistoryService,
    SnippetPushReaderContribution,
    SnippetPushRuleContribution,
    SnippetsQueries,
    SnippetRawService,
    SnippetRepositoryService,
    SnippetRulesService,
    UpdateSnippet,
    SnippetsExporter,
    SnippetsImporter,
    SnippetsListener,
    SnippetsExchange,
  ],
  exports: [RemoveSnippets, SnippetAccessQueries, SnippetHistoryService, SnippetRepositoryService],
})
export class SnippetsModule {}
