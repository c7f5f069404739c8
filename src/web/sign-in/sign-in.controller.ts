import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { PasswordCheckService, type PasswordVerdict } from '#core/sign-in/password-check.service.js';
import { ProtectedPathsLimit } from '#core/sign-in/protected-paths.limit.js';
import type { User } from '#core/users/user.entity.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, PageContext } from '../page-context.js';
import { FOR_VISITORS } from './for-visitors.access.js';
import { FinishSignIn, START_PAGE } from './finish-sign-in.use-case.js';
import { PendingSignInService, SECOND_FACTOR_STEP, type PendingVisitor } from './pending-sign-in.service.js';
import { returnPathOf } from './return-path.js';
import { SignInForm } from './sign-in.params.js';
import { signInView } from './sign-in.view.js';

const WRONG = 'Invalid login or password.';

/** Shown only after the correct password, so that other visitors learn nothing about an account. */
const REASONS: Partial<Readonly<Record<(PasswordVerdict & { ok: false })['reason'], string>>> = {
  blocked: 'Your account has been blocked. Please contact an administrator.',
  'pending-approval': 'Your account is pending approval by an administrator.',
  unconfirmed: 'You have to confirm your e-mail address before you can sign in.',
};

const visitorOf = ({ id, passwordChangedAt }: User, remember: boolean): PendingVisitor => ({
  userId: id,
  passwordChangedAt,
  remember,
});

/** The first step of signing in, with a password. */
@Controller()
export class SignInController {
  constructor(
    private readonly settings: SettingsService,
    private readonly throttle: ProtectedPathsLimit,
    private readonly passwords: PasswordCheckService,
    private readonly pending: PendingSignInService,
    private readonly finish: FinishSignIn,
  ) {}

  @Get('/')
  @Access(FOR_VISITORS)
  @ReturnsPage()
  start(@Page() page: PageContext): PageAnswer {
    return page.redirect(page.user ? START_PAGE : '/users/sign_in', { status: 302 });
  }

  /** Signed-in users see it only if a page requires them to authenticate again. */
  @Get('users/sign_in')
  @Access(FOR_VISITORS)
  @ReturnsPage()
  show(@Page() page: PageContext): PageAnswer {
    if (page.user && returnPathOf(page) === null) return page.redirect(START_PAGE, { status: 302 });
    return this.form(page, page.user?.username ?? '', false);
  }

  @Post('users/sign_in')
  @Access(FOR_VISITORS)
  @ReturnsPage()
  async signIn(@Page() page: PageContext, @Params() { user: given }: SignInForm): Promise<PageAnswer> {
    await this.throttle.admit();
    const { login, password, remember_me: remember } = given;
    if (!this.isOffered) return this.form(page, login, remember, WRONG);
    const verdict = await this.passwords.verify(login, password, { isPage: true });
    if (verdict.ok) {
      const answer = await this.finish.run(page, visitorOf(verdict.user, remember));
      return answer ?? this.form(page, login, remember, WRONG);
    }
    if (verdict.reason === 'two-factor') {
      this.pending.seal(page, visitorOf(verdict.user, remember));
      return page.redirect(SECOND_FACTOR_STEP);
    }
    return this.form(page, login, remember, REASONS[verdict.reason] ?? WRONG);
  }

  private get isOffered(): boolean {
    return this.settings.values.password_authentication_enabled_for_web;
  }

  private form(page: PageContext, login: string, remember: boolean, problem?: string): PageAnswer {
    const errors: FieldError[] = problem === undefined ? [] : [{ field: null, text: problem }];
    const view = signInView({ csrfToken: page.csrfToken, isOffered: this.isOffered, login, remember });
    return page.render('Sign in', view, { errors });
  }
}
