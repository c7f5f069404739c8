import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { SnippetCreation } from './writes/create-snippet.js';
import { SnippetFinder } from './access/find-snippet.js';
import { ProjectSnippetsController } from './project-snippets.controller.js';
import { RemoveSnippets } from './writes/remove-snippets.js';
import { SnippetAccess } from './access/snippet-access.js';
import { SnippetActions } from './snippet-actions.js';
import { SnippetPushRule } from './access/snippet-push-rule.js';
import { SnippetRaw } from './files/snippet-raw.js';
import { SnippetRepository } from './files/snippet-repository.js';
import { SnippetRules } from './snippet-rules.js';
import { Snippet } from './snippet.entity.js';
import { SnippetsController } from './snippets.controller.js';
import { SnippetsListener } from './snippets.listener.js';
import { SnippetsQueries } from './snippets.queries.js';
import { SnippetHistory } from './transfer/snippet-history.js';
import { SnippetsExport } from './transfer/snippets-export.js';
import { SnippetsImport } from './transfer/snippets-import.js';
import { SnippetsTransfer } from './transfer/snippets.transfer.js';
import { SnippetUpdate } from './writes/update-snippet.js';

/** Snippets, personal and of projects. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Snippet]),
    InstanceModule,
    ProjectsModule,
    RepositoriesModule,
    TransferModule,
    UsersModule,
  ],
  controllers: [SnippetsController, ProjectSnippetsController],
  providers: [
    RemoveSnippets,
    SnippetAccess,
    SnippetActions,
    SnippetCreation,
    SnippetFinder,
    SnippetHistory,
    SnippetPushRule,
    SnippetsQueries,
    SnippetRaw,
    SnippetRepository,
    SnippetRules,
    SnippetUpdate,
    SnippetsExport,
    SnippetsImport,
    SnippetsListener,
    SnippetsTransfer,
  ],
  exports: [RemoveSnippets, SnippetAccess, SnippetHistory, SnippetRepository],
})
export class SnippetsModule {}
