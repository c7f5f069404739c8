import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { ChangeOwnPassword } from '#core/sign-in/change-own-password.use-case.js';
import { EXPIRED_PASSWORD_PATH } from '#core/sign-in/first-steps.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, PageContext } from '../page-context.js';
import { START_PAGE } from '../sign-in/finish-sign-in.use-case.js';
import { forgetReturnPath, returnPathOf } from '../sign-in/return-path.js';
import { giveSession } from '../sign-in/session-cookie.js';
import { PasswordForm } from './password.params.js';
import { passwordView } from './password.view.js';

const EDIT = '/-/profile/password/edit';

/** Page for changing one's password, voluntarily or because it has expired. */
@Controller('-/profile/password')
export class OwnPasswordController {
  constructor(private readonly change: ChangeOwnPassword) {}

  @Get('edit')
  @Access({ page: 'user' })
  @ReturnsPage()
  edit(@Page() page: PageContext): PageAnswer {
    return show(page, false);
  }

  @Put('edit')
  @Access({ page: 'user' })
  @ReturnsPage()
  update(@Page() page: PageContext, @Params() form: PasswordForm): Promise<PageAnswer> {
    return this.run(page, form, false);
  }

  /** Page to which users are redirected whose password was set by someone else. */
  @Get('new')
  @Access({ page: 'user', expiredPassword: true })
  @ReturnsPage()
  renew(@Page() page: PageContext): PageAnswer {
    return show(page, true);
  }

  @Put('new')
  @Access({ page: 'user', expiredPassword: true })
  @ReturnsPage()
  replace(@Page() page: PageContext, @Params() form: PasswordForm): Promise<PageAnswer> {
    return this.run(page, form, true);
  }

  private async run(page: PageContext, { user }: PasswordForm, isExpired: boolean): Promise<PageAnswer> {
    try {
      const session = await this.change.run(page.actor.id, {
        current: user.current_password,
        password: user.password,
        confirmation: user.password_confirmation,
        sessionId: page.sessionId as number,
      });
      giveSession(page, session);
    } catch (error) {
      return show(
        page,
        isExpired,
        fieldErrorsOf(error, (name) => `user[${name}]`),
      );
    }
    const target = (isExpired ? returnPathOf(page) : null) ?? START_PAGE;
    if (isExpired) forgetReturnPath(page);
    return page.redirect(target, { flash: 'password_changed' });
  }
}

function show(page: PageContext, isExpired: boolean, errors: readonly FieldError[] = []): PageAnswer {
  const title = isExpired ? 'Choose a new password' : 'Change your password';
  const action = isExpired ? EXPIRED_PASSWORD_PATH : EDIT;
  return page.render(title, passwordView(action, page.actor.username, page.csrfToken, isExpired, errors), {
    errors,
  });
}
