import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ClientKeysService } from '#features/error-tracking/settings/client-keys.service.js';
import { ErrorTrackingSettingsService } from '#features/error-tracking/settings/error-tracking-settings.service.js';
import { MONITOR_SETTINGS_REMOVE, MONITOR_SETTINGS_WRITE } from '../monitor-settings.access.js';
import { Page, type PageContext } from '../page-context.js';
import { TrackingForm, TrackingKeyPath } from './error-forms.js';
import { settingsPath } from './paths.js';
import { trackingSettings } from './views/settings.view.js';

/** Pages on which Maintainers enable error tracking and create and delete keys. */
@Controller('-/projects/:project_id/error_tracking/settings')
export class TrackingSettingsController {
  constructor(
    private readonly settings: ErrorTrackingSettingsService,
    private readonly keys: ClientKeysService,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async show(
    @Page() page: PageContext,
    @CurrentProject() { id, fullPath }: ProjectSubject,
    @Paged() list: ListPage,
  ): Promise<PageAnswer> {
    const [row, keys] = await Promise.all([this.settings.find(id), list.load(this.keys.list(id))]);
    const body = trackingSettings({
      projectId: id,
      isTracking: row !== null && row.active && row.integrated,
      keys,
      list,
      base: this.links.base,
      csrfToken: page.csrfToken,
    });
    return page.render(`Error tracking of ${fullPath}`, body);
  }

  /**
   * Enabling tracking here always selects the integrated backend; only the API can select an external one, which the box of this
   * page does not show: leaving it empty leaves that one as it is.
   */
  @Put()
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async change(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() { active }: TrackingForm,
  ): Promise<PageAnswer> {
    const former = await this.settings.find(project.id);
    const isExternal = former !== null && !former.integrated;
    if (active || !isExternal) await this.settings.put(project, page.actor, { active, integrated: true });
    return page.redirect(settingsPath(project.id), { flash: 'saved' });
  }

  @Post('keys')
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async addKey(@Page() page: PageContext, @CurrentProject() project: ProjectSubject): Promise<PageAnswer> {
    await this.keys.create(project, page.actor);
    return page.redirect(settingsPath(project.id), { flash: 'client_key_added' });
  }

  @Get('keys/:key_id/delete')
  @Access(MONITOR_SETTINGS_WRITE)
  @ReturnsPage()
  async askToRemove(
    @Page() page: PageContext,
    @CurrentProject() { id }: ProjectSubject,
    @Params() { key_id: keyId }: TrackingKeyPath,
  ): Promise<PageAnswer> {
    await this.keys.find(id, keyId);
    const path = settingsPath(id);
    return page.ask('Remove this key?', {
      text: html`Errors that applications report with key <strong>${keyId}</strong> will be rejected.`,
      action: `${path}/keys/${keyId}`,
      method: 'delete',
      button: `Remove key ${keyId}`,
      back: path,
    });
  }

  @Delete('keys/:key_id')
  @Access(MONITOR_SETTINGS_REMOVE)
  @ReturnsPage()
  async removeKey(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @Params() { key_id: keyId }: TrackingKeyPath,
  ): Promise<PageAnswer> {
    await this.keys.remove(project, page.actor, keyId);
    return page.redirect(settingsPath(project.id), { flash: 'client_key_removed' });
  }
}
