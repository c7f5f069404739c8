import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentCaller,
  CurrentProject,
  type Actor,
  type Caller,
  type ProjectSubject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { EventList, type EventSource } from './sql/event-list.js';
import { UsersQueries } from '#core/users/lists/users.queries.js';
import { EventRecord } from './event.record.js';
import { ListEventsParams, ListOwnEventsParams, ListUserEventsParams } from './events.params.js';
import { hasAllParts } from './sql/plain-events.sql.js';
import { presentEvent } from './present-event.js';

/**
 * Activity events: the caller's own, those of a user, and those in a project, limited to what the caller may
 * see.
 */
@Controller('api/v4')
export class EventsController {
  constructor(
    private readonly users: UsersQueries,
    private readonly links: Links,
  ) {}

  @Get('events')
  @Access({ user: true, scopes: ['read_user'] })
  @ReturnsList(EventRecord)
  own(
    @CurrentActor() actor: Actor,
    @Params() params: ListOwnEventsParams,
    @Paged() page: Page,
  ): Promise<EventRecord[]> {
    const scope = params.scope === 'all' ? 'memberships' : 'author by id';
    return this.load(page, actor, params, { scope, value: actor.id });
  }

  @Get('users/:id/events')
  @Access({ anyone: true, scopes: ['read_user'] })
  @ReturnsList(EventRecord)
  async ofUser(
    @CurrentActor() actor: Actor | null,
    @Params() params: ListUserEventsParams,
    @Paged() page: Page,
  ): Promise<EventRecord[]> {
    const isId = /^\d{1,15}$/.test(params.id);
    const source: EventSource = isId
      ? { scope: 'author by id', value: Number(params.id) }
      : { scope: 'author by name', value: params.id };
    const events = await this.load(page, actor, params, source);
    if (events.length === 0) await this.users.findOwner(params.id);
    return events;
  }

  @Get('projects/:id/events')
  @Access({ project: Role.Guest, publicRead: true, anyone: true, scopes: ['read_user'] })
  @ReturnsList(EventRecord)
  ofProject(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() { actor, role }: Caller,
    @Params() params: ListEventsParams,
    @Paged() page: Page,
  ): Promise<EventRecord[]> {
    return this.load(page, actor, params, {
      scope: 'project',
      value: project.id,
      role,
      hasAllParts: hasAllParts(project),
    });
  }

  private async load(
    page: Page,
    actor: Actor | null,
    params: ListEventsParams,
    source: EventSource,
  ): Promise<EventRecord[]> {
    const { order_by: order = 'created_at' } = params;
    const rows = await page.load(new EventList(source, actor, params, order));
    return rows.map((row) => presentEvent(row, this.links));
  }
}
