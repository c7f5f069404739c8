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
import { COMMANDS_ONLY, presentNoteCommands, type NoteCommandsRecord } from './note-commands.record.js';
import { NoteRecord, presentNote } from './note.record.js';
import type { Noteable } from './noteables/noteable.js';
import { NoteableRegistry } from './noteables/noteable.registry.js';
import { CreateNoteParams, FindNoteParams, ListNotesParams, UpdateNoteParams } from './notes.params.js';
import { NotesQueries } from './notes.queries.js';
import { NotesService } from './notes.service.js';
import { NoteableRef, type NoteableRoutes } from './noteables/noteable-routes.js';
import { WriteNote } from './write-note.use-case.js';

/** Creates the notes controller of one type of noteable (`planning.md` 5.5). `name`: name of the class. */
export function notesController(name: string, { type, path, param, access }: NoteableRoutes): Type {
  class ListParams extends ListNotesParams {
    @NoteableRef(param)
    ref!: number;
  }
  class CreateParams extends CreateNoteParams {
    @NoteableRef(param)
    ref!: number;
  }
  class FindParams extends FindNoteParams {
    @NoteableRef(param)
    ref!: number;
  }
  class UpdateParams extends UpdateNoteParams {
    @NoteableRef(param)
    ref!: number;
  }

  @Controller(`api/v4/${path}/notes`)
  class NotesController {
    constructor(
      private readonly noteables: NoteableRegistry,
      private readonly notes: NotesService,
      private readonly writing: WriteNote,
      private readonly queries: NotesQueries,
      private readonly links: Links,
    ) {}

    @Get()
    @Access(access)
    @ReturnsList(NoteRecord)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() params: ListParams,
      @Paged() page: Page,
    ): Promise<NoteRecord[]> {
      const noteable = await this.noteables.of(type).find(caller, params.ref);
      const rows = await page.load(this.queries.list(noteable, params));
      return rows.map((row) => presentNote(row, noteable.iid, this.links));
    }

    @Get(':note_id')
    @Access(access)
    @Returns(NoteRecord)
    async find(
      @CurrentCaller() caller: Caller,
      @Params() { ref, note_id: id }: FindParams,
    ): Promise<NoteRecord> {
      return this.present(await this.noteables.of(type).find(caller, ref), id);
    }

    @Post()
    @Access(access)
    @ReturnsOr(NoteRecord, 201, COMMANDS_ONLY)
    async create(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref, ...params }: CreateParams,
      @Res({ passthrough: true }) response: Response,
    ): Promise<NoteRecord | NoteCommandsRecord> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      const { row, done } = await this.writing.run(caller, noteable, params);
      if (row !== null) {
        await takeSlotForWritten(row.n_body.length);
        return presentNote(row, noteable.iid, this.links, done.changes);
      }
      response.status(COMMANDS_ONLY.status);
      return presentNoteCommands(done);
    }

    @Put(':note_id')
    @Access(access)
    @Returns(NoteRecord)
    async update(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref, note_id: id, body }: UpdateParams,
    ): Promise<NoteRecord> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      await this.notes.update(caller, noteable, id, body);
      return this.present(noteable, id);
    }

    @Delete(':note_id')
    @Access(access)
    @ReturnsNothing()
    async remove(
      @CurrentCaller() caller: Caller,
      @Params() { ref, note_id: id }: FindParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      await this.notes.remove(caller, noteable, id, unmodified);
    }

    private async present(noteable: Noteable, id: number): Promise<NoteRecord> {
      return presentNote(await this.queries.find(noteable, id), noteable.iid, this.links);
    }
  }
  return named(NotesController, name);
}
