import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { UpdateUser } from '#core/users/changes/update-user.use-case.js';
import { UserEmailsService } from '#core/users/addresses/user-emails.service.js';
import { UserUpdateParams } from '#core/users/changes/users.params.js';
import { UsersQueries } from '#core/users/lists/users.queries.js';
import { bindForm } from '../forms/bind-form.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, type PageContext } from '../page-context.js';
import { ProfileForm } from './profile-form.js';
import { PROFILE_PATH, profileView } from './profile.view.js';

/** Page of a user's profile, with the same rules as the API. */
@Controller('-/profile')
export class ProfileController {
  constructor(
    private readonly users: UsersQueries,
    private readonly emails: UserEmailsService,
    private readonly updateUser: UpdateUser,
  ) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  find(@Page() page: PageContext): Promise<PageAnswer> {
    return this.show(page, new ProfileForm(), []);
  }

  /** Accepts only what the form offers: users may not change their own rights or username here. */
  @Put()
  @Access({ page: 'user' })
  @ReturnsPage()
  async update(@Page() page: PageContext, @Params() sent: ProfileForm): Promise<PageAnswer> {
    const user = page.actor;
    try {
      await this.updateUser.run(
        user,
        bindForm(
          UserUpdateParams,
          Object.assign<Record<string, unknown>, ProfileForm>({ id: user.id }, sent),
        ),
      );
    } catch (error) {
      return this.show(page, sent, fieldErrorsOf(error));
    }
    return page.redirect(PROFILE_PATH, { flash: 'saved' });
  }

  private async show(
    page: PageContext,
    sent: ProfileForm,
    errors: readonly FieldError[],
  ): Promise<PageAnswer> {
    const { id } = page.actor;
    const [user, further] = await Promise.all([this.users.find(id, id), this.emails.all(id)]);
    const confirmed = [{ email: user.email, confirmed_at: user.confirmed_at }, ...further]
      .filter(({ confirmed_at: at }) => at !== null)
      .map(({ email }) => email);
    const body = profileView({ user, sent, confirmed, errors, csrfToken: page.csrfToken });
    return page.render('Profile', body, { errors });
  }
}
