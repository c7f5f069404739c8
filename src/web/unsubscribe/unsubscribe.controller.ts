import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Access } from '#kernel/access/access.js';
import { notFound } from '#kernel/http/errors.js';
import { html } from '#kernel/html/html.js';
import { page, type PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';
import {
  MailLinksService,
  type UnsubscribeTarget,
} from '#features/notifications/mails/mail-links.service.js';
import { htmlDocument } from '../layout/document.js';
import { Page, type PageContext } from '../page-context.js';
import { confirmView, doneView } from './unsubscribe.view.js';

/** Key of an email. */
export class MailKeyParams {
  @Text({ matches: /^[0-9a-f]{32}$/ })
  key!: string;
}

/**
 * Page behind the unsubscribe links of emails (RFC 8058). The key alone grants the right to unsubscribe and
 * nothing else. Since programs open the links of emails, opening one changes nothing unless the recipient is
 * signed in; a HEAD request never does.
 */
@Controller('-/sent_notifications')
export class UnsubscribeController {
  constructor(private readonly mails: MailLinksService) {}

  @Get(':key/unsubscribe')
  @Access({ page: 'open' })
  @ReturnsPage()
  async show(
    @Page() view: PageContext,
    @Params() { key }: MailKeyParams,
    @Req() { method }: Request,
  ): Promise<PageAnswer> {
    const target = await this.find(key);
    if (view.user?.id !== target.userId || method === 'HEAD')
      return view.render('Unsubscribe', confirmView(key));
    await this.mails.unsubscribe(target);
    return view.render('Unsubscribed', doneView());
  }

  /**
   * One-click unsubscribe, by a mail client or the button of the page. It needs no session or CSRF token,
   * since only the recipient knows the key.
   */
  @Post(':key/unsubscribe')
  @HttpCode(200)
  @Access({ credential: 'mail-link' })
  @ReturnsPage()
  async unsubscribe(@Params() { key }: MailKeyParams): Promise<PageAnswer> {
    await this.mails.unsubscribe(await this.find(key));
    return page(
      htmlDocument({
        title: 'Unsubscribed',
        navigation: null,
        main: html`<h1>Unsubscribed</h1>
          ${doneView()}`,
      }),
    );
  }

  private async find(key: string): Promise<UnsubscribeTarget> {
    const target = await this.mails.find(key);
    if (!target) throw notFound('Mail');
    return target;
  }
}
