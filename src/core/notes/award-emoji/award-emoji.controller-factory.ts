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
import { CreateAwardParams, FindAwardParams } from './award-emoji.params.js';
import { AwardEmojiQueries, type Awardable } from './award-emoji.queries.js';
import { AwardEmojiRecord, presentAwardEmoji } from './award-emoji.record.js';
import { AwardEmojiService } from './award-emoji.service.js';
import type { Noteable } from '../noteables/noteable.js';
import { NoteableRegistry } from '../noteables/noteable.registry.js';
import { NoteableRef, type NoteableRoutes } from '../noteables/noteable-routes.js';

/** Returns a noteable as an awardable. */
const awardableOf = ({ type, id }: Noteable): Awardable => ({ type, id }) as Awardable;

/**
 * Creates the award emoji controller of one type of noteable (`planning.md` 5.7). `name`: name of the class.
 */
export function awardEmojiController(name: string, { type, path, param, access }: NoteableRoutes): Type {
  class NoteableParams {
    @NoteableRef(param)
    ref!: number;
  }
  class FindParams extends FindAwardParams {
    @NoteableRef(param)
    ref!: number;
  }
  class CreateParams extends CreateAwardParams {
    @NoteableRef(param)
    ref!: number;
  }

  @Controller(`api/v4/${path}/award_emoji`)
  class AwardEmojiController {
    constructor(
      private readonly noteables: NoteableRegistry,
      private readonly awards: AwardEmojiService,
      private readonly queries: AwardEmojiQueries,
      private readonly links: Links,
    ) {}

    @Get()
    @Access({ ...access, anyone: true })
    @ReturnsList(AwardEmojiRecord)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() { ref }: NoteableParams,
      @Paged() page: Page,
    ): Promise<AwardEmojiRecord[]> {
      const noteable = await this.noteables.awardable(type, caller, ref);
      const rows = await page.load(this.queries.list(awardableOf(noteable)));
      return rows.map((row) => presentAwardEmoji(row, this.links));
    }

    @Get(':award_id')
    @Access({ ...access, anyone: true })
    @Returns(AwardEmojiRecord)
    async find(
      @CurrentCaller() caller: Caller,
      @Params() { ref, award_id: id }: FindParams,
    ): Promise<AwardEmojiRecord> {
      return this.present(await this.noteables.awardable(type, caller, ref), id);
    }

    @Post()
    @Access(access)
    @Returns(AwardEmojiRecord, 201)
    async create(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref, name: emoji }: CreateParams,
    ): Promise<AwardEmojiRecord> {
      const noteable = await this.noteables.awardable(type, caller, ref);
      return this.present(noteable, await this.awards.give(caller, noteable, awardableOf(noteable), emoji));
    }

    @Delete(':award_id')
    @Access(access)
    @ReturnsNothing()
    async remove(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref, award_id: id }: FindParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      const noteable = await this.noteables.awardable(type, caller, ref);
      await this.awards.remove(caller, noteable, awardableOf(noteable), id, unmodified);
    }

    private async present(noteable: Noteable, id: number): Promise<AwardEmojiRecord> {
      return presentAwardEmoji(await this.queries.find(awardableOf(noteable), id), this.links);
    }
  }
  return named(AwardEmojiController, name);
}
