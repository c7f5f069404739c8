import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { RequestLink } from '#core/emails/links/request-link.use-case.js';
import type { LinkKind } from '#core/emails/links/request-link.job.js';
import { emailProblem } from '#core/users/changes/user-rules.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, type PageContext } from '../page-context.js';
import { RequestLinkParams } from './password-reset.params.js';
import { linkRequestView } from './password-reset.view.js';

const PAGES = {
  reset: {
    title: 'Forgot your password?',
    action: '/users/password',
    text: 'Enter any email address of your account. We will send a password-reset link to its primary address.',
    button: 'Send me a link',
  },
  confirmation: {
    title: 'Confirm your account',
    action: '/users/confirmation',
    text: 'Enter the address of your account. We will send a new confirmation link to it.',
    button: 'Send the link again',
  },
} as const satisfies Record<LinkKind, unknown>;

/**
 * Page for requesting a link when unable to sign in. The response is the same whether the account exists or
 * not.
 */
@Controller('users')
export class LinkRequestsController {
  constructor(private readonly requests: RequestLink) {}

  @Get('password/new')
  @Access({ page: 'open' })
  @ReturnsPage()
  askForReset(@Page() page: PageContext): PageAnswer {
    return show(page, 'reset', '', []);
  }

  @Post('password')
  @Access({ page: 'open' })
  @ReturnsPage()
  wantReset(@Page() page: PageContext, @Params() { email }: RequestLinkParams): Promise<PageAnswer> {
    return this.take(page, 'reset', email);
  }

  @Get('confirmation/new')
  @Access({ page: 'open' })
  @ReturnsPage()
  askForConfirmation(@Page() page: PageContext): PageAnswer {
    return show(page, 'confirmation', '', []);
  }

  @Post('confirmation')
  @Access({ page: 'open' })
  @ReturnsPage()
  wantConfirmation(@Page() page: PageContext, @Params() { email }: RequestLinkParams): Promise<PageAnswer> {
    return this.take(page, 'confirmation', email);
  }

  private async take(page: PageContext, kind: LinkKind, email: string): Promise<PageAnswer> {
    const problem = emailProblem(email);
    if (problem !== null)
      return show(page, kind, email, [{ field: 'email', text: `E-mail address ${problem}` }]);
    await this.requests.run(kind, email);
    return page.redirect('/users/sign_in', { flash: 'mail_sent' });
  }
}

function show(page: PageContext, kind: LinkKind, sent: string, errors: readonly FieldError[]): PageAnswer {
  const { title, ...parts } = PAGES[kind];
  return page.render(title, linkRequestView(parts, sent, { errors, csrfToken: page.csrfToken }), { errors });
}
