import { Controller, Delete, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { AuthorizedApplicationsService } from '#core/oauth-tokens/applications/authorized-applications.service.js';
import { Page, type PageContext } from '../page-context.js';
import { ApplicationPath } from './application-form.js';
import {
  AuthorizedApplicationsQueries,
  type AuthorizedApplication,
} from './authorized-applications.queries.js';
import { AUTHORIZED_PATH } from './authorized-table.js';
import { OWN } from './application-section.js';

/**
 * Lets users revoke the access of an application. Applications that they have not authorized are not found.
 */
@Controller('oauth/authorized_applications')
export class AuthorizedApplicationsController {
  constructor(
    private readonly queries: AuthorizedApplicationsQueries,
    private readonly authorized: AuthorizedApplicationsService,
  ) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  lead(@Page() page: PageContext): PageAnswer {
    return page.redirect(OWN.path, { status: 302 });
  }

  @Get(':id')
  @Access({ page: 'user' })
  @ReturnsPage()
  async askToRevoke(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    const { name } = await this.find(page, id);
    return page.ask('Revoke this application?', {
      text: html`<strong>${name}</strong> loses access to your account immediately. You can authorize it again
        when it asks.`,
      action: `${AUTHORIZED_PATH}/${id}`,
      method: 'delete',
      button: `Revoke ${name}`,
      back: OWN.path,
    });
  }

  @Delete(':id')
  @Access({ page: 'user' })
  @ReturnsPage()
  async revoke(@Page() page: PageContext, @Params() { id }: ApplicationPath): Promise<PageAnswer> {
    const application = await this.find(page, id);
    const user = page.actor;
    await this.authorized.revoke(user.id, application, user);
    return page.redirect(OWN.path, { flash: 'authorization_revoked' });
  }

  private async find(page: PageContext, id: number): Promise<AuthorizedApplication> {
    const application = await this.queries.findOrNull(page.actor.id, id);
    if (!application) throw notFound('Application');
    return application;
  }
}
