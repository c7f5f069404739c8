import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { CodeModule } from '#core/repositories/code.module.js';
import { SnippetsModule } from '#core/snippets/snippets.module.js';
import { SubscriptionsModule } from '#core/subscriptions/subscriptions.module.js';
import { AwardEmojiQueries } from './award-emoji/award-emoji.queries.js';
import { AwardEmojiService } from './award-emoji/award-emoji.service.js';
import { CommitCommentsController } from './commit-comments/commit-comments.controller.js';
import { CommitNoteableContribution } from './noteables/commit-noteable.contribution.js';
import { DiscussionsQueries } from './discussions/discussions.queries.js';
import { DiscussionsService } from './discussions/discussions.service.js';
import { MentionsService } from './participants/mentions.service.js';
import { NoteOriginsService } from './note-origins.service.js';
import { NoteableRegistry } from './noteables/noteable.registry.js';
import { NotesQueries } from './notes.queries.js';
import { NotesService } from './notes.service.js';
import { ChangeSubscription } from './participants/change-subscription.use-case.js';
import { ParticipantsQueries } from './participants/participants.queries.js';
import { SnippetNoteableContribution } from './noteables/snippet-noteable.contribution.js';
import { snippetNoteableControllers } from './noteables/snippet-noteable.controllers.js';
import { SystemNotesService } from './system-notes.service.js';
import { TimeTrackingService } from './time-tracking/time-tracking.service.js';
import { WriteNote } from './write-note.use-case.js';

const shared = [
  AwardEmojiService,
  AwardEmojiQueries,
  ChangeSubscription,
  DiscussionsQueries,
  DiscussionsService,
  MentionsService,
  NotesQueries,
  NoteOriginsService,
  WriteNote,
  NoteableRegistry,
  NotesService,
  ParticipantsQueries,
  SystemNotesService,
  TimeTrackingService,
];

/**
 * Notes, award emoji, mentions and time tracking; modules with noteables create their controllers by the
 * factories here.
 */
@Module({
  imports: [InstanceModule, CodeModule, SnippetsModule, SubscriptionsModule],
  controllers: [CommitCommentsController, ...snippetNoteableControllers],
  providers: [...shared, CommitNoteableContribution, SnippetNoteableContribution],
  exports: [...shared, SubscriptionsModule],
})
export class NotesModule {}
