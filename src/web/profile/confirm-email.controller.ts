import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { EmailConfirmationsService } from '#core/emails/email-confirmations.service.js';
import { Page, type PageContext } from '../page-context.js';
import { LinkTokenParams } from './emails.params.js';
import { confirmView, EMAILS_PATH } from './emails.view.js';

const ASK_AGAIN = '/users/confirmation/new';

/**
 * Page behind emailed confirmation links. It is public, because the owner of a new account cannot sign in
 * yet.
 */
@Controller('-/profile/emails/confirm')
export class ConfirmEmailController {
  constructor(private readonly confirmations: EmailConfirmationsService) {}

  /** Opening the link changes nothing, since mail scanners open every link. */
  @Get()
  @Access({ page: 'open' })
  @ReturnsPage()
  async ask(@Page() page: PageContext, @Params() { token }: LinkTokenParams): Promise<PageAnswer> {
    const pending = await this.confirmations.findOrNull(token);
    if (!pending) return page.redirect(ASK_AGAIN, { flash: 'email_link_bad', status: 302 });
    return page.render('Confirm your e-mail address', confirmView(pending, token, page.csrfToken));
  }

  @Post()
  @Access({ page: 'open' })
  @ReturnsPage()
  async confirm(@Page() page: PageContext, @Params() { token }: LinkTokenParams): Promise<PageAnswer> {
    const next = page.user ? EMAILS_PATH : '/users/sign_in';
    const outcome = await this.confirmations.confirm(token);
    if (outcome === 'confirmed' || outcome === 'already')
      return page.redirect(next, { flash: 'email_confirmed' });
    if (outcome === 'taken') return page.redirect(next, { flash: 'email_taken' });
    return page.redirect(ASK_AGAIN, { flash: 'email_link_bad' });
  }
}
