import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { ErrorEventDetailsRecord, ErrorEventRecord, presentErrorEvent } from './error-event.record.js';
import { ErrorStatusService } from './error-status.service.js';
import { presentError, TrackedErrorRecord } from './error.record.js';
import {
  FindErrorParams,
  FindErrorEventParams,
  ListErrorEventsParams,
  ListErrorsParams,
  UpdateErrorParams,
} from './errors.params.js';
import { ErrorsQueries } from './errors.queries.js';

/** Errors reported by applications (`ops.md` 6.6). */
@Controller('api/v4/projects/:id/error_tracking')
export class ErrorsController {
  constructor(
    private readonly queries: ErrorsQueries,
    private readonly statuses: ErrorStatusService,
  ) {}

  @Get('errors')
  @Access({ project: Role.Reporter, feature: 'monitor' })
  @ReturnsList(TrackedErrorRecord)
  async list(
    @CurrentProject() { id }: ProjectSubject,
    @Params() params: ListErrorsParams,
    @Paged() page: Page,
  ): Promise<TrackedErrorRecord[]> {
    return (await page.load(this.queries.list(id, params))).map(presentError);
  }

  @Get('errors/:error_id')
  @Access({ project: Role.Reporter, feature: 'monitor' })
  @Returns(TrackedErrorRecord)
  find(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { error_id: errorId }: FindErrorParams,
  ): Promise<TrackedErrorRecord> {
    return this.present(id, errorId);
  }

  @Put('errors/:error_id')
  @Access({ project: Role.Developer, feature: 'monitor' })
  @Returns(TrackedErrorRecord)
  async update(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { error_id: errorId, status }: UpdateErrorParams,
  ): Promise<TrackedErrorRecord> {
    await this.statuses.change(id, errorId, status);
    return this.present(id, errorId);
  }

  @Get('errors/:error_id/events')
  @Access({ project: Role.Reporter, feature: 'monitor' })
  @ReturnsList(ErrorEventRecord)
  async events(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { error_id: errorId, sort = 'desc' }: ListErrorEventsParams,
    @Paged() page: Page,
  ): Promise<ErrorEventRecord[]> {
    const events = await page.load(this.queries.events(id, errorId, sort));
    // Only a missing error has no events, so that others need no additional statement.
    if (events.length === 0) await this.present(id, errorId);
    return events;
  }

  @Get('events/:event_id')
  @Access({ project: Role.Reporter, feature: 'monitor' })
  @Returns(ErrorEventDetailsRecord)
  async event(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { event_id: eventId }: FindErrorEventParams,
  ): Promise<ErrorEventDetailsRecord> {
    const event = await this.queries.event(id, eventId);
    if (!event) throw notFound('Event');
    return presentErrorEvent(event);
  }

  private async present(projectId: number, id: number): Promise<TrackedErrorRecord> {
    const error = await this.queries.find(projectId, id);
    if (!error) throw notFound('Error');
    return presentError(error);
  }
}
