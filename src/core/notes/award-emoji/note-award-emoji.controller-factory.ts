import { Controller, Delete, Get, Post, type Type } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { named } from '#kernel/http/routes/named.js';
import { CreateNoteAwardParams, FindNoteAwardParams } from './award-emoji.params.js';
import { AwardEmojiQueries, type Awardable } from './award-emoji.queries.js';
import { AwardEmojiRecord, presentAwardEmoji } from './award-emoji.record.js';
import { AwardEmojiService } from './award-emoji.service.js';
import type { Noteable } from '../noteables/noteable.js';
import { NoteableRegistry } from '../noteables/noteable.registry.js';
import { FindNoteParams } from '../notes.params.js';
import { NotesQueries } from '../notes.queries.js';
import { NoteableRef, type NoteableRoutes } from '../noteables/noteable-routes.js';

/** A note that the caller may read, with its noteable. */
interface FoundNote {
  readonly noteable: Noteable;
  readonly note: Awardable;
}

/**
 * Creates the controller of emoji on notes of one type of noteable (`planning.md` 5.7). `name`: name of the
 * class.
 */
export function noteAwardEmojiController(name: string, { type, path, param, access }: NoteableRoutes): Type {
  class OfNoteParams extends FindNoteParams {
    @NoteableRef(param)
    ref!: number;
  }
  class FindParams extends FindNoteAwardParams {
    @NoteableRef(param)
    ref!: number;
  }
  class CreateParams extends CreateNoteAwardParams {
    @NoteableRef(param)
    ref!: number;
  }

  @Controller(`api/v4/${path}/notes/:note_id/award_emoji`)
  class NoteAwardEmojiController {
    constructor(
      private readonly noteables: NoteableRegistry,
      private readonly notes: NotesQueries,
      private readonly awards: AwardEmojiService,
      private readonly queries: AwardEmojiQueries,
      private readonly links: Links,
    ) {}

    @Get()
    @Access(access)
    @ReturnsList(AwardEmojiRecord)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() params: OfNoteParams,
      @Paged() page: Page,
    ): Promise<AwardEmojiRecord[]> {
      const { note } = await this.noteOf(caller, params);
      const rows = await page.load(this.queries.list(note));
      return rows.map((row) => presentAwardEmoji(row, this.links));
    }

    @Get(':award_id')
    @Access(access)
    @Returns(AwardEmojiRecord)
    async find(@CurrentCaller() caller: Caller, @Params() params: FindParams): Promise<AwardEmojiRecord> {
      return this.present((await this.noteOf(caller, params)).note, params.award_id);
    }

    @Post()
    @Access(access)
    @Returns(AwardEmojiRecord, 201)
    async create(
      @CurrentCaller() caller: UserCaller,
      @Params() params: CreateParams,
    ): Promise<AwardEmojiRecord> {
      const { noteable, note } = await this.noteOf(caller, params);
      return this.present(note, await this.awards.give(caller, noteable, note, params.name));
    }

    @Delete(':award_id')
    @Access(access)
    @ReturnsNothing()
    async remove(
      @CurrentCaller() caller: UserCaller,
      @Params() params: FindParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      const { noteable, note } = await this.noteOf(caller, params);
      await this.awards.remove(caller, noteable, note, params.award_id, unmodified);
    }

    private async noteOf(caller: Caller, params: OfNoteParams): Promise<FoundNote> {
      const noteable = await this.noteables.awardable(type, caller, params.ref, params.note_id);
      const { n_id: id } = await this.notes.find(noteable, params.note_id);
      return { noteable, note: { type: 'Note', id } };
    }

    private async present(note: Awardable, id: number): Promise<AwardEmojiRecord> {
      return presentAwardEmoji(await this.queries.find(note, id), this.links);
    }
  }
  return named(NoteAwardEmojiController, name);
}
