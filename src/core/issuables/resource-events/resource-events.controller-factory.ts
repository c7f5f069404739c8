import { Controller, Get, type Type } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Id } from '#kernel/http/fields/scalar-fields.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import { NoteableRef, type NoteableRoutes } from '#core/notes/noteables/noteable-routes.js';
import {
  LABEL_EVENTS,
  MILESTONE_EVENTS,
  STATE_EVENTS,
  type ResourceEventKind,
} from './resource-event-kinds.js';
import type { ChangedIssuable, ResourceEventRow } from './resource-event.record.js';
import { ResourceEventsQueries } from './resource-events.queries.js';

/** Returns a noteable as the issuable of events, which commits and snippets do not have. */
const changed = ({ type, id }: Noteable): ChangedIssuable => ({ type, id }) as ChangedIssuable;

/**
 * Creates the controller of one kind of events of one kind of issuables: for signed-in readers. `name`: name
 * of the class.
 */
function resourceEventsController<Row extends ResourceEventRow, EventRecord extends object>(
  name: string,
  { type, path, param, access }: NoteableRoutes,
  kind: ResourceEventKind<Row, EventRecord>,
): Type {
  class NoteableParams {
    @NoteableRef(param)
    ref!: number;
  }
  class FindParams extends NoteableParams {
    @Id({ min: 0 })
    event_id!: number;
  }

  @Controller(`api/v4/${path}/${kind.path}`)
  class ResourceEventsController {
    constructor(
      private readonly noteables: NoteableRegistry,
      private readonly queries: ResourceEventsQueries,
      private readonly links: Links,
    ) {}

    @Get()
    @Access(access)
    @ReturnsList(kind.record)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() { ref }: NoteableParams,
      @Paged() page: Page,
    ): Promise<EventRecord[]> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      const rows = await page.load(this.queries.list(kind, noteable, caller));
      return rows.map((row) => kind.present(row, changed(noteable), this.links));
    }

    @Get(':event_id')
    @Access(access)
    @Returns(kind.record)
    async find(
      @CurrentCaller() caller: Caller,
      @Params() { ref, event_id: id }: FindParams,
    ): Promise<EventRecord> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      const row = await this.queries.find(kind, noteable, caller, id);
      return kind.present(row, changed(noteable), this.links);
    }
  }
  return named(ResourceEventsController, name);
}

/**
 * Creates the controllers of all resource events of one kind of issuables. `prefix`: start of the class
 * names.
 */
export const resourceEventControllers = (prefix: string, routes: NoteableRoutes): Type[] => [
  resourceEventsController(`${prefix}LabelEventsController`, routes, LABEL_EVENTS),
  resourceEventsController(`${prefix}StateEventsController`, routes, STATE_EVENTS),
  // Epics have no milestone.
  ...(routes.type === 'Epic'
    ? []
    : [resourceEventsController(`${prefix}MilestoneEventsController`, routes, MILESTONE_EVENTS)]),
];
