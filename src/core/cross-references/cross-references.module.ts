import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { IssuesModule } from '#core/issues/issues.module.js';
import { MergeRequestsModule } from '#core/merge-requests/merge-requests.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { CrossReferences } from './cross-references.js';
import { TextReferenceFinder } from './text-reference-finder.js';
import { PushedCommitsListener } from './pushed-commits.listener.js';
import { PushedCommitsReading } from './pushed-commits.js';
import { WrittenTextsListener } from './written-texts.listener.js';
import { WrittenTextsQueries } from './written-texts.queries.js';

/** Things that texts and commits name: notes on them, and issues that commits close. */
@Module({
  imports: [InstanceModule, IssuesModule, MergeRequestsModule, NotesModule, RepositoriesModule],
  providers: [
    CrossReferences,
    TextReferenceFinder,
    PushedCommitsListener,
    PushedCommitsReading,
    WrittenTextsQueries,
    WrittenTextsListener,
  ],
  exports: [CrossReferences, PushedCommitsReading, WrittenTextsQueries],
})
export class CrossReferencesModule {}
