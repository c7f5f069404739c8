import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/unmodified-since.js';
import { NoteRecord, presentNote } from './note.record.js';
import type { Noteable } from './noteable.js';
import { Noteables } from './noteables.js';
import { CreateNote, FindNote, ListNotes, UpdateNote } from './notes.params.js';
import { NoteQueries } from './notes.queries.js';
import { NotesService } from './notes.service.js';
import { named, ThingRef, type ThingRoutes } from './thing-routes.js';

/** The controller of the notes of one kind of thing (`planning.md` 5.5). `name` is that of the class. */
export function notesController(name: string, { type, path, param, access }: ThingRoutes): Type {
  class List extends ListNotes {
    @ThingRef(param)
    ref!: number;
  }
  class Create extends CreateNote {
    @ThingRef(param)
    ref!: number;
  }
  class Find extends FindNote {
    @ThingRef(param)
    ref!: number;
  }
  class Update extends UpdateNote {
    @ThingRef(param)
    ref!: number;
  }

  @Controller(`api/v4/${path}/notes`)
  class NotesController {
    constructor(
      private readonly noteables: Noteables,
      private readonly notes: NotesService,
      private readonly queries: NoteQueries,
      private readonly links: Links,
    ) {}

    @Get()
    @Access(access)
    @ReturnsList(NoteRecord)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() params: List,
      @Paged() page: Page,
    ): Promise<NoteRecord[]> {
      const noteable = await this.noteables.of(type).find(caller, params.ref);
      const rows = await page.load(this.queries.list(noteable, params));
      return rows.map((row) => presentNote(row, noteable.iid, this.links));
    }

    @Get(':note_id')
    @Access(access)
    @Returns(NoteRecord)
    async find(@CurrentCaller() caller: Caller, @Params() { ref, note_id: id }: Find): Promise<NoteRecord> {
      return this.present(await this.noteables.of(type).find(caller, ref), id);
    }

    @Post()
    @Access(access)
    @Returns(NoteRecord, 201)
    async create(@CurrentCaller() caller: Caller, @Params() { ref, ...params }: Create): Promise<NoteRecord> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      return this.present(noteable, await this.notes.create(caller, noteable, params));
    }

    @Put(':note_id')
    @Access(access)
    @Returns(NoteRecord)
    async update(
      @CurrentCaller() caller: Caller,
      @Params() { ref, note_id: id, body }: Update,
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
      @Params() { ref, note_id: id }: Find,
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
