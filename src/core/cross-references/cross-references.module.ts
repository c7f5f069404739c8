import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { IssuesModule } from '#core/issues/issues.module.js';
import { MergeRequestsModule } from '#core/merge-requests/merge-requests.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { CrossReferencesService } from './cross-references.service.js';
import { TextReferenceFinder } from './text-reference.finder.js';
import { PushedCommitsListener } from './pushed-commits.listener.js';
import { PushedCommitsService } from './pushed-commits.service.js';
import { WrittenTextsListener } from './written-texts.listener.js';
import { WrittenTextsQueries } from './written-texts.queries.js';

/** References in texts and commits: system notes on the mentioned objects, and issues that commits close. */
@Module({
  imports: [InstanceModule, IssuesModule, MergeRequestsModule, NotesModule, RepositoriesModule],
  providers: [
    CrossReferencesService,
    TextReferenceFinder,
    PushedCommitsListener,
    PushedCommitsService,
    WrittenTextsQueries,
    WrittenTextsListener,
  ],
  exports: [CrossReferencesService, PushedCommitsService, WrittenTextsQueries],
})
export class CrossReferencesModule {}
