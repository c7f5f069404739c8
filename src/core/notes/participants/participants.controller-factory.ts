import { Controller, Get, type Type } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import { presentUserBasic, UserBasicRecord } from '#core/users/records/user-basic.record.js';
import { NoteableRegistry } from '../noteables/noteable.registry.js';
import { ParticipantsQueries } from './participants.queries.js';
import { NoteableRef, type NoteableRoutes } from '../noteables/noteable-routes.js';

/** Creates the participants controller of one type of noteable. `name`: name of the class. */
export function participantsController(name: string, { type, path, param, access }: NoteableRoutes): Type {
  class NoteableParams {
    @NoteableRef(param)
    ref!: number;
  }

  @Controller(`api/v4/${path}/participants`)
  class ParticipantsController {
    constructor(
      private readonly noteables: NoteableRegistry,
      private readonly queries: ParticipantsQueries,
      private readonly links: Links,
    ) {}

    @Get()
    @Access({ ...access, anyone: true })
    @ReturnsList(UserBasicRecord)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() { ref }: NoteableParams,
      @Paged() page: Page,
    ): Promise<UserBasicRecord[]> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      const rows = await page.load(this.queries.list(noteable));
      return rows.map((row) => presentUserBasic(row, this.links));
    }
  }
  return named(ParticipantsController, name);
}
