import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { EmailConfirmationsService } from '#core/emails/email-confirmations.service.js';
import { UserEmailsService } from '#core/users/addresses/user-emails.service.js';
import { NewUserEmailParams } from '#core/users/addresses/user-emails.params.js';
import { UsersQueries } from '#core/users/lists/users.queries.js';
import { bindForm } from '../forms/bind-form.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, type PageContext } from '../page-context.js';
import { EmailForm, EmailPath } from './emails.params.js';
import { EMAILS_PATH, emailsView } from './emails.view.js';

/** Page of a user's email addresses: adding, removing, and resending a confirmation. */
@Controller('-/profile/emails')
export class EmailsController {
  constructor(
    private readonly users: UsersQueries,
    private readonly emails: UserEmailsService,
    private readonly confirmations: EmailConfirmationsService,
  ) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  list(@Page() page: PageContext): Promise<PageAnswer> {
    return this.show(page, '', []);
  }

  @Post()
  @Access({ page: 'user' })
  @ReturnsPage()
  async add(@Page() page: PageContext, @Params() sent: EmailForm): Promise<PageAnswer> {
    const user = page.actor;
    try {
      const { email } = bindForm(NewUserEmailParams, { email: sent.email });
      await this.emails.add(user, user.id, email, false);
    } catch (error) {
      return this.show(page, sent.email, fieldErrorsOf(error));
    }
    return page.redirect(EMAILS_PATH, { flash: 'email_added' });
  }

  @Get(':email_id/remove')
  @Access({ page: 'user' })
  @ReturnsPage()
  async askToRemove(@Page() page: PageContext, @Params() { email_id: id }: EmailPath): Promise<PageAnswer> {
    const { email } = await this.emails.find(page.actor.id, id);
    return page.ask('Remove this address?', {
      text: html`<strong>${email}</strong> no longer belongs to your account: you cannot sign in with it, and
        your profile and your commits no longer name it.`,
      action: `${EMAILS_PATH}/${id}`,
      method: 'delete',
      button: `Remove ${email}`,
      back: EMAILS_PATH,
    });
  }

  @Delete(':email_id')
  @Access({ page: 'user' })
  @ReturnsPage()
  async remove(@Page() page: PageContext, @Params() { email_id: id }: EmailPath): Promise<PageAnswer> {
    const user = page.actor;
    await this.emails.remove(user, user.id, id, () => undefined);
    return page.redirect(EMAILS_PATH, { flash: 'email_removed' });
  }

  /** Sends another link to an unconfirmed address of the user, as often as the throttle allows. */
  @Post(':email_id/confirmation')
  @Access({ page: 'user' })
  @ReturnsPage()
  async resend(@Page() page: PageContext, @Params() { email_id: id }: EmailPath): Promise<PageAnswer> {
    const isSent = await this.confirmations.resend(page.actor.id, id);
    return page.redirect(EMAILS_PATH, { flash: isSent ? 'email_sent_again' : 'email_limit' });
  }

  private async show(page: PageContext, sent: string, errors: readonly FieldError[]): Promise<PageAnswer> {
    const { id } = page.actor;
    const [user, further] = await Promise.all([this.users.find(id, id), this.emails.all(id)]);
    const body = emailsView({ user, further, sent, errors, csrfToken: page.csrfToken });
    return page.render('E-mail addresses', body, { errors });
  }
}
