import { Controller, Delete, Get, Post, Put, Res, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import { takeSlotForWritten } from '#kernel/http/answers/large-answers.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing, ReturnsOr } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { named } from '#kernel/http/routes/named.js';
import { DiscussionRecord, presentDiscussion } from './discussion.record.js';
import {
  CreateDiscussionParams,
  FindDiscussionParams,
  FindDiscussionNoteParams,
  ReplyToDiscussionParams,
  UpdateDiscussionNoteParams,
} from './discussions.params.js';
import { DiscussionsQueries } from './discussions.queries.js';
import { DiscussionsService } from './discussions.service.js';
import type { CommandsDone } from '../note-commands.port.js';
import { COMMANDS_ONLY, presentNoteCommands, type NoteCommandsRecord } from '../note-commands.record.js';
import { NoteRecord, presentNote } from '../note.record.js';
import type { Noteable } from '../noteables/noteable.js';
import { NoteableRegistry } from '../noteables/noteable.registry.js';
import { NotesQueries } from '../notes.queries.js';
import { NoteableRef, type NoteableRoutes } from '../noteables/noteable-routes.js';

/** Creates the discussions controller of one type of noteable. `name`: name of the class. */
export function discussionsController(name: string, { type, path, param, access }: NoteableRoutes): Type {
  class NoteableParams {
    @NoteableRef(param)
    ref!: number;
  }
  class CreateParams extends CreateDiscussionParams {
    @NoteableRef(param)
    ref!: number;
  }
  class FindParams extends FindDiscussionParams {
    @NoteableRef(param)
    ref!: number;
  }
  class ReplyParams extends ReplyToDiscussionParams {
    @NoteableRef(param)
    ref!: number;
  }
  class FindOneParams extends FindDiscussionNoteParams {
    @NoteableRef(param)
    ref!: number;
  }
  class UpdateOneParams extends UpdateDiscussionNoteParams {
    @NoteableRef(param)
    ref!: number;
  }

  @Controller(`api/v4/${path}/discussions`)
  class DiscussionsController {
    constructor(
      private readonly noteables: NoteableRegistry,
      private readonly discussions: DiscussionsService,
      private readonly queries: DiscussionsQueries,
      private readonly notes: NotesQueries,
      private readonly links: Links,
    ) {}

    @Get()
    @Access(access)
    @ReturnsList(DiscussionRecord)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() { ref }: NoteableParams,
      @Paged() page: Page,
    ): Promise<DiscussionRecord[]> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      const rows = await page.load(this.queries.list(noteable));
      const ids = rows.map((row) => row.discussion_id);
      const found = await this.queries.of(noteable, ids);
      return found.map(({ id, notes }) => presentDiscussion(id, notes, noteable.iid, this.links));
    }

    @Get(':discussion_id')
    @Access(access)
    @Returns(DiscussionRecord)
    async find(
      @CurrentCaller() caller: Caller,
      @Params() { ref, discussion_id: id }: FindParams,
    ): Promise<DiscussionRecord> {
      return this.present(await this.noteables.of(type).find(caller, ref), id);
    }

    @Post()
    @Access(access)
    @ReturnsOr(DiscussionRecord, 201, COMMANDS_ONLY)
    async create(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref, ...params }: CreateParams,
      @Res({ passthrough: true }) response: Response,
    ): Promise<DiscussionRecord | NoteCommandsRecord> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      const { id, done } = await this.discussions.begin(caller, noteable, params);
      return id === null ? this.onlyCommands(done, response) : this.present(noteable, id, done.changes);
    }

    @Post(':discussion_id/notes')
    @Access(access)
    @ReturnsOr(NoteRecord, 201, COMMANDS_ONLY)
    async reply(
      @CurrentCaller() caller: UserCaller,
      @Params() params: ReplyParams,
      @Res({ passthrough: true }) response: Response,
    ): Promise<NoteRecord | NoteCommandsRecord> {
      const noteable = await this.noteables.of(type).find(caller, params.ref);
      const { row, done } = await this.discussions.reply(caller, noteable, params);
      if (row === null) return this.onlyCommands(done, response);
      await takeSlotForWritten(row.n_body.length);
      return presentNote(row, noteable.iid, this.links, done.changes);
    }

    @Get(':discussion_id/notes/:note_id')
    @Access(access)
    @Returns(NoteRecord)
    async findNote(@CurrentCaller() caller: Caller, @Params() params: FindOneParams): Promise<NoteRecord> {
      const noteable = await this.noteables.of(type).find(caller, params.ref);
      const row = await this.queries.findNote(noteable, params.discussion_id, params.note_id);
      return presentNote(row, noteable.iid, this.links);
    }

    @Put(':discussion_id/notes/:note_id')
    @Access(access)
    @Returns(NoteRecord)
    async updateNote(
      @CurrentCaller() caller: UserCaller,
      @Params() params: UpdateOneParams,
    ): Promise<NoteRecord> {
      const noteable = await this.noteables.of(type).find(caller, params.ref);
      await this.discussions.updateNote(caller, noteable, params);
      return this.presentNote(noteable, params.note_id);
    }

    @Delete(':discussion_id/notes/:note_id')
    @Access(access)
    @ReturnsNothing()
    async removeNote(
      @CurrentCaller() caller: Caller,
      @Params() { ref, discussion_id: id, note_id: noteId }: FindOneParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      await this.discussions.removeNote(caller, noteable, id, noteId, unmodified);
    }

    private async present(
      noteable: Noteable,
      id: string,
      changes: CommandsDone['changes'] = {},
    ): Promise<DiscussionRecord> {
      const { notes } = await this.queries.find(noteable, id);
      return presentDiscussion(id, notes, noteable.iid, this.links, changes);
    }

    private async presentNote(noteable: Noteable, id: number): Promise<NoteRecord> {
      return presentNote(await this.notes.find(noteable, id), noteable.iid, this.links);
    }

    private onlyCommands(done: CommandsDone, response: Response): NoteCommandsRecord {
      response.status(COMMANDS_ONLY.status);
      return presentNoteCommands(done);
    }
  }
  return named(DiscussionsController, name);
}
