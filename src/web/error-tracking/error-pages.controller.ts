import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ErrorStatusService } from '#features/error-tracking/errors/error-status.service.js';
import { ErrorsQueries } from '#features/error-tracking/errors/errors.queries.js';
import { ErrorTrackingSettingsService } from '#features/error-tracking/settings/error-tracking-settings.service.js';
import { Page, type PageContext } from '../page-context.js';
import { beginningOf, LAST_DAY, LAST_MONTH, seriesOf } from './views/count-series.js';
import { ErrorFilters, ErrorStatusForm, ShownErrorPath } from './error-forms.js';
import { errorList } from './views/error-list.view.js';
import { ErrorPagesQueries } from './error-pages.queries.js';
import { errorView, type ShownErrorEvent } from './views/error.view.js';
import { textOf } from './events/json-values.js';
import { errorPath } from './paths.js';

/** Pages of a project's errors. */
@Controller('-/projects/:project_id/error_tracking')
export class ErrorPagesController {
  constructor(
    private readonly errors: ErrorsQueries,
    private readonly statuses: ErrorStatusService,
    private readonly queries: ErrorPagesQueries,
    private readonly settings: ErrorTrackingSettingsService,
  ) {}

  @Get()
  @Access({ page: 'user', project: Role.Reporter, feature: 'monitor', from: 'project_id' })
  @ReturnsPage()
  async list(
    @Page() page: PageContext,
    @CurrentProject() { id: projectId, fullPath }: ProjectSubject,
    @CurrentCaller() { role }: Caller,
    @Params() filter: ErrorFilters,
    @Paged() list: ListPage,
  ): Promise<PageAnswer> {
    const { status, search, order } = filter;
    const [rows, setting] = await Promise.all([
      list.load(this.errors.list(projectId, { status, search, order_by: order })),
      this.settings.find(projectId),
    ]);
    const body = errorList({
      projectId,
      rows,
      hours: await this.lastDay(rows.map(({ id }) => id)),
      list,
      filter,
      isTracking: setting !== null && setting.active && setting.integrated,
      mayChangeSettings: role >= Role.Maintainer,
    });
    return page.render(`Errors of ${fullPath}`, body, { wide: true });
  }

  @Get('errors/:error_id')
  @Access({ page: 'user', project: Role.Reporter, feature: 'monitor', from: 'project_id' })
  @ReturnsPage()
  async show(
    @Page() page: PageContext,
    @CurrentProject() { id: projectId }: ProjectSubject,
    @CurrentCaller() { role }: Caller,
    @Params() { error_id: id, event: eventId }: ShownErrorPath,
  ): Promise<PageAnswer> {
    const error = await this.errors.find(projectId, id);
    if (!error) throw notFound('Error');
    const now = Date.now();
    const [hours, event] = await Promise.all([
      this.errors.hours([id], beginningOf(LAST_MONTH, now)),
      this.event(projectId, id, eventId),
    ]);
    const days = seriesOf(hours, LAST_MONTH, now);
    const mayChange = role >= Role.Developer;
    const body = errorView({ projectId, error, days, event, mayChange, csrfToken: page.csrfToken });
    return page.render(textOf(error.name, 200) ?? 'Error', body, { wide: true });
  }

  @Put('errors/:error_id')
  @Access({ page: 'user', project: Role.Developer, feature: 'monitor', from: 'project_id' })
  @ReturnsPage()
  async change(
    @Page() page: PageContext,
    @CurrentProject() { id: projectId }: ProjectSubject,
    @Params() { error_id: id, status }: ErrorStatusForm,
  ): Promise<PageAnswer> {
    await this.statuses.change(projectId, id, status);
    return page.redirect(errorPath(projectId, id), { flash: `error_${status}` });
  }

  /** Returns the number of events in each of the last 24 hours, by error. */
  private async lastDay(errorIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    if (errorIds.length === 0) return new Map();
    const now = Date.now();
    const hours = await this.errors.hours(errorIds, beginningOf(LAST_DAY, now));
    return new Map(
      errorIds.map((id) => [
        id,
        seriesOf(
          hours.filter(({ error_id: of }) => of === id),
          LAST_DAY,
          now,
        ),
      ]),
    );
  }

  /**
   * Returns the given event, or the last one; null if all have been deleted. @throws 404 for an event of
   * another error
   */
  private async event(projectId: number, errorId: number, id?: number): Promise<ShownErrorEvent | null> {
    const event =
      id === undefined
        ? await this.errors.lastEvent(projectId, errorId)
        : await this.errors.event(projectId, String(id));
    if (id !== undefined && event?.error_id !== errorId) throw notFound('Event');
    return event && { ...event, ...(await this.queries.neighbours(errorId, event.id)) };
  }
}
