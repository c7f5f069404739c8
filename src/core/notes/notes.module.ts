import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { CodeModule } from '#core/repositories/code.module.js';
import { SnippetsModule } from '#core/snippets/snippets.module.js';
import { SubscriptionsModule } from '#core/subscriptions/subscriptions.module.js';
import { AwardEmojiQueries } from './award-emoji/award-emoji.queries.js';
import { AwardEmojiService } from './award-emoji/award-emoji.service.js';
import { CommitCommentsController } from './commit-comments/commit-comments.controller.js';
import { CommitNoteables } from './noteables/commit-noteables.js';
import { DiscussionsQueries } from './discussions/discussions.queries.js';
import { DiscussionsService } from './discussions/discussions.service.js';
import { Mentions } from './participants/mentions.js';
import { NoteCommands } from './note-commands.js';
import { NoteOrigins } from './note-origins.js';
import { Noteables } from './noteables/noteables.js';
import { NotesQueries } from './notes.queries.js';
import { NotesService } from './notes.service.js';
import { ParticipantsQueries } from './participants/participants.queries.js';
import { SnippetNoteables } from './noteables/snippet-noteables.js';
import { snippetTalkControllers } from './noteables/snippet-talk.controllers.js';
import { SystemNotes } from './system-notes.js';
import { TimeTracking } from './time-tracking/time-tracking.js';
import { NoteWriting } from './write-note.js';

/** Notes, award emoji, mentions and time tracking; whoever has things to talk about makes its controllers with the factories here. */
@Module({
  imports: [InstanceModule, CodeModule, SnippetsModule, SubscriptionsModule],
  controllers: [CommitCommentsController, ...snippetTalkControllers],
  providers: [
    AwardEmojiService,
    AwardEmojiQueries,
    CommitNoteables,
    DiscussionsQueries,
    DiscussionsService,
    Mentions,
    NoteCommands,
    NotesQueries,
    NoteOrigins,
    NoteWriting,
    Noteables,
    NotesService,
    ParticipantsQueries,
    SnippetNoteables,
    SystemNotes,
    TimeTracking,
  ],
  exports: [
    AwardEmojiService,
    AwardEmojiQueries,
    DiscussionsQueries,
    DiscussionsService,
    Mentions,
    NoteCommands,
    NotesQueries,
    NoteOrigins,
    NoteWriting,
    Noteables,
    NotesService,
    ParticipantsQueries,
    SubscriptionsModule,
    SystemNotes,
    TimeTracking,
  ],
})
export class NotesModule {}
