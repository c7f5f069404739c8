import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { PasswordCheckService } from '#core/sign-in/password-check.service.js';
import { UserAddressesService } from '#core/users/addresses/user-addresses.service.js';
import { UserEmailsService } from '#core/users/addresses/user-emails.service.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, type PageContext } from '../page-context.js';
import { EmailPath, PrimaryForm } from './emails.params.js';
import { EMAILS_PATH, primaryView } from './emails.view.js';

const WRONG: FieldError = { field: 'current_password', text: 'Current password is incorrect' };

/**
 * Makes a confirmed address the primary one. Requires the password: a session left open must not be enough.
 */
@Controller('-/profile/emails/:email_id/primary')
export class PrimaryEmailController {
  constructor(
    private readonly emails: UserEmailsService,
    private readonly addresses: UserAddressesService,
    private readonly check: PasswordCheckService,
  ) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  ask(@Page() page: PageContext, @Params() { email_id: id }: EmailPath): Promise<PageAnswer> {
    return this.show(page, id, []);
  }

  @Put()
  @Access({ page: 'user' })
  @ReturnsPage()
  async change(@Page() page: PageContext, @Params() sent: PrimaryForm): Promise<PageAnswer> {
    const { email_id: id, current_password: password } = sent;
    const user = page.actor;
    if (!(await this.check.confirm(user.id, password))) return this.show(page, id, [WRONG]);
    try {
      await this.addresses.makePrimary(user, id);
    } catch (error) {
      return this.show(page, id, fieldErrorsOf(error));
    }
    return page.redirect(EMAILS_PATH, { flash: 'saved' });
  }

  private async show(page: PageContext, id: number, errors: readonly FieldError[]): Promise<PageAnswer> {
    const email = await this.emails.find(page.actor.id, id);
    const body = primaryView(email, errors, page.csrfToken);
    return page.render('Change the primary address', body, { errors });
  }
}
