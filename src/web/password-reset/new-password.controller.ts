import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { PasswordResetsService } from '#core/emails/password-resets.service.js';
import { passwordProblem } from '#core/users/changes/user-rules.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, type PageContext } from '../page-context.js';
import { NewPasswordParams, ResetLinkParams } from './password-reset.params.js';
import { newPasswordView } from './password-reset.view.js';

const ASK_AGAIN = '/users/password/new';

/** Page behind emailed links that lets the recipient choose a new password. */
@Controller('users/password')
export class NewPasswordController {
  constructor(private readonly resets: PasswordResetsService) {}

  /** Opening the link does not use it up, since mail scanners open every link. */
  @Get('edit')
  @Access({ page: 'open' })
  @ReturnsPage()
  async ask(
    @Page() page: PageContext,
    @Params() { reset_password_token: token }: ResetLinkParams,
  ): Promise<PageAnswer> {
    if (!(await this.resets.isUsable(token)))
      return page.redirect(ASK_AGAIN, { flash: 'email_link_bad', status: 302 });
    return show(page, token, []);
  }

  @Put()
  @Access({ page: 'open' })
  @ReturnsPage()
  async choose(@Page() page: PageContext, @Params() sent: NewPasswordParams): Promise<PageAnswer> {
    const { reset_password_token: token, password } = sent;
    const errors = problemsOf(sent);
    if (errors.length > 0) return show(page, token, errors);
    if (!(await this.resets.use(token, password)))
      return page.redirect(ASK_AGAIN, { flash: 'email_link_bad' });
    return page.redirect('/users/sign_in', { flash: 'password_reset' });
  }
}

function problemsOf({ password, password_confirmation: again }: NewPasswordParams): FieldError[] {
  const problem = passwordProblem(password);
  if (problem !== null) return [{ field: 'password', text: `Password ${problem}` }];
  const isSame = password === again;
  return isSame ? [] : [{ field: 'password_confirmation', text: 'The two passwords are not the same' }];
}

const show = (page: PageContext, token: string, errors: readonly FieldError[]): PageAnswer =>
  page.render('Choose a new password', newPasswordView(token, { errors, csrfToken: page.csrfToken }), {
    errors,
  });
