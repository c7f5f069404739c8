import { Controller, Put, type Type } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import { DiscussionRecord, presentDiscussion } from './discussion.record.js';
import { ResolveDiscussionParams } from './discussions.params.js';
import { DiscussionsQueries } from './discussions.queries.js';
import { DiscussionsService } from './discussions.service.js';
import { NoteableRegistry } from '../noteables/noteable.registry.js';
import { NoteableRef, type NoteableRoutes } from '../noteables/noteable-routes.js';

/** Creates the controller for resolving discussions, of types that support it. `name`: name of the class. */
export function resolutionController(name: string, { type, path, param, access }: NoteableRoutes): Type {
  class ResolveParams extends ResolveDiscussionParams {
    @NoteableRef(param)
    ref!: number;
  }

  @Controller(`api/v4/${path}/discussions/:discussion_id`)
  class ResolutionController {
    constructor(
      private readonly noteables: NoteableRegistry,
      private readonly discussions: DiscussionsService,
      private readonly queries: DiscussionsQueries,
      private readonly links: Links,
    ) {}

    @Put()
    @Access(access)
    @Returns(DiscussionRecord)
    async resolve(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref, discussion_id: id, resolved }: ResolveParams,
    ): Promise<DiscussionRecord> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      await this.discussions.resolve(caller, noteable, id, resolved);
      const { notes } = await this.queries.find(noteable, id);
      return presentDiscussion(id, notes, noteable.iid, this.links);
    }
  }
  return named(ResolutionController, name);
}
