import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { changeOf } from '#features/notifications/settings/change-of.js';
import { ChangeOfAllParams } from '#features/notifications/settings/notification-settings.params.js';
import { NotificationSettingsQueries } from '#features/notifications/settings/notification-settings.queries.js';
import { NotificationSettingsService } from '#features/notifications/settings/notification-settings.service.js';
import { bindForm } from '../forms/bind-form.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, type PageContext } from '../page-context.js';
import { GlobalNotificationForm, parametersOf, shownAgain } from './notification-form.js';
import { NotificationSourcesQueries } from './notification-sources.queries.js';
import { firstSources, globalForm, NOTIFICATIONS_PATH } from './notification-views.js';
import { offeredEvents } from './offered-events.js';
import { ConfirmedAddressesService } from './confirmed-addresses.service.js';

const TITLE = 'Notifications';

/** Pages of the global notification setting and of the groups and projects of a user. */
@Controller('-/profile/notifications')
export class NotificationsController {
  constructor(
    private readonly settings: NotificationSettingsService,
    private readonly queries: NotificationSettingsQueries,
    private readonly sources: NotificationSourcesQueries,
    private readonly addresses: ConfirmedAddressesService,
  ) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  find(@Page() page: PageContext, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return this.show(page, caller, []);
  }

  @Put()
  @Access({ page: 'user' })
  @ReturnsPage()
  async change(
    @Page() page: PageContext,
    @CurrentCaller() caller: Caller,
    @Params() sent: GlobalNotificationForm,
  ): Promise<PageAnswer> {
    try {
      const values = parametersOf(sent, offeredEvents('groups', caller.tier));
      const { notification_email: email, ...params } = bindForm(ChangeOfAllParams, values);
      const change = { ...changeOf(params, caller.tier), email, ownActivity: sent.notified_of_own_activity };
      await this.settings.change(page.actor.id, null, change);
    } catch (error) {
      return this.show(page, caller, fieldErrorsOf(error), sent);
    }
    return page.redirect(NOTIFICATIONS_PATH, { flash: 'saved' });
  }

  private async show(
    page: PageContext,
    { tier }: Caller,
    errors: readonly FieldError[],
    sent?: GlobalNotificationForm,
  ): Promise<PageAnswer> {
    const { id } = page.actor;
    const { csrfToken } = page;
    const [setting, confirmed, groups, projects] = await Promise.all([
      this.queries.global(id),
      this.addresses.of(id),
      this.sources.first(page.actor, 'groups'),
      this.sources.first(page.actor, 'projects'),
    ]);
    const offered = offeredEvents('groups', tier);
    const shown = sent
      ? { ...shownAgain(setting, sent, offered), notified_of_own_activity: sent.notified_of_own_activity }
      : setting;
    const view = { confirmed, offered, errors, csrfToken };
    const body = html`${globalForm(shown, view)}${firstSources('groups', groups, csrfToken)}${firstSources('projects', projects, csrfToken)}`;
    return page.render(TITLE, body, { errors });
  }
}
