import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { changeOf } from '#features/notifications/settings/change-of.js';
import { ChangeOnPageParams } from '#features/notifications/settings/notification-settings.params.js';
import { NotificationSettingsService } from '#features/notifications/settings/notification-settings.service.js';
import { bindForm } from '../forms/bind-form.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, type PageContext } from '../page-context.js';
import { ConfirmedAddressesService } from './confirmed-addresses.service.js';
import {
  parametersOf,
  shownAgain,
  SourceKindPath,
  SourceNotificationForm,
  SourcePath,
} from './notification-form.js';
import { NotificationSourcesQueries, type NotificationSourceRow } from './notification-sources.queries.js';
import { allSources, NOTIFICATIONS_PATH, SOURCE_TITLES, sourceForm } from './notification-views.js';
import { offeredEvents } from './offered-events.js';

/** Pages of the notification setting of a group or project. */
@Controller('-/profile/notifications/:kind')
export class SourceNotificationsController {
  constructor(
    private readonly settings: NotificationSettingsService,
    private readonly sources: NotificationSourcesQueries,
    private readonly addresses: ConfirmedAddressesService,
  ) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  async list(
    @Page() page: PageContext,
    @Paged() list: ListPage,
    @Params() { kind }: SourceKindPath,
  ): Promise<PageAnswer> {
    const rows = await list.load(this.sources.list(page.actor, kind));
    return page.render(`Notifications: ${SOURCE_TITLES[kind]}`, allSources(kind, rows, list, page.csrfToken));
  }

  @Get(':source_id')
  @Access({ page: 'user' })
  @ReturnsPage()
  find(
    @Page() page: PageContext,
    @CurrentCaller() caller: Caller,
    @Params() path: SourcePath,
  ): Promise<PageAnswer> {
    return this.show(page, caller, path, []);
  }

  /** Accepts the level alone from a table row, or the complete form from the page of the group or project. */
  @Put(':source_id')
  @Access({ page: 'user' })
  @ReturnsPage()
  async change(
    @Page() page: PageContext,
    @CurrentCaller() caller: Caller,
    @Params() sent: SourceNotificationForm,
  ): Promise<PageAnswer> {
    const { kind, source_id: id } = sent;
    await this.read(page, sent);
    try {
      const values = parametersOf(sent, offeredEvents(kind, caller.tier));
      const { notification_email: email, ...params } = bindForm(ChangeOnPageParams, values);
      const source = { type: kind === 'groups' ? 'Namespace' : 'Project', id } as const;
      const change = { ...changeOf(params, caller.tier), email: kind === 'groups' ? email : undefined };
      await this.settings.change(page.actor.id, source, change);
    } catch (error) {
      return this.show(page, caller, sent, fieldErrorsOf(error), sent);
    }
    const asksForEvents = sent.level === 'custom' && !sent.with_events;
    const next = asksForEvents ? `${NOTIFICATIONS_PATH}/${kind}/${id}` : NOTIFICATIONS_PATH;
    return page.redirect(next, { flash: 'saved' });
  }

  /** @throws 404 if the user cannot see it */
  private async read(page: PageContext, { kind, source_id: id }: SourcePath): Promise<NotificationSourceRow> {
    const row = await this.sources.find(page.actor, kind, id);
    if (!row) throw notFound(kind === 'groups' ? 'Group' : 'Project');
    return row;
  }

  private async show(
    page: PageContext,
    { tier }: Caller,
    path: SourcePath,
    errors: readonly FieldError[],
    sent?: SourceNotificationForm,
  ): Promise<PageAnswer> {
    const row = await this.read(page, path);
    const confirmed = await this.addresses.of(page.actor.id);
    const offered = offeredEvents(path.kind, tier);
    const shown = sent ? shownAgain(row, sent, offered) : row;
    const body = sourceForm(path.kind, shown, { confirmed, offered, errors, csrfToken: page.csrfToken });
    return page.render(`Notifications of ${row.full_name}`, body, { errors });
  }
}
