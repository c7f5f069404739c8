import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { ProtectedPathsLimit } from '#core/sign-in/protected-paths.limit.js';
import { SecondFactorCheckService } from '#core/two-factor/second-factor-check.service.js';
import type { FieldError } from '../forms/form-fields.view.js';
import type { FlashKey } from '../layout/flash.js';
import { Page, PageContext } from '../page-context.js';
import { FOR_VISITORS } from '../sign-in/for-visitors.access.js';
import { FinishSignIn } from '../sign-in/finish-sign-in.use-case.js';
import { PendingSignInService, SECOND_FACTOR_STEP } from '../sign-in/pending-sign-in.service.js';
import { CodeForm } from './code.params.js';
import { CODE_FIELD, codeView } from './code.view.js';

const TITLE = 'Two-factor authentication';
const WRONG: readonly FieldError[] = [{ field: CODE_FIELD, text: 'Invalid two-factor code.' }];

/** The second step of signing in, for those who entered the correct password within the last five minutes. */
@Controller(SECOND_FACTOR_STEP.slice(1))
export class SecondStepController {
  constructor(
    private readonly throttle: ProtectedPathsLimit,
    private readonly pending: PendingSignInService,
    private readonly check: SecondFactorCheckService,
    private readonly finish: FinishSignIn,
  ) {}

  @Get()
  @Access(FOR_VISITORS)
  @ReturnsPage()
  show(@Page() page: PageContext): PageAnswer {
    return this.pending.open(page) ? this.form(page, []) : this.startAgain(page, 'sign_in_again');
  }

  @Post()
  @Access(FOR_VISITORS)
  @ReturnsPage()
  async verify(@Page() page: PageContext, @Params() { user }: CodeForm): Promise<PageAnswer> {
    await this.throttle.admit();
    const visitor = this.pending.open(page);
    if (!visitor) return this.startAgain(page, 'sign_in_again');
    const answer = await this.check.verify(visitor, user.otp_attempt);
    if (answer === 'wrong') return this.form(page, WRONG);
    if (answer === 'locked') return this.startAgain(page, 'sign_in_locked');
    const signedIn = answer === 'right' && (await this.finish.run(page, visitor, { hasSecondFactor: true }));
    return signedIn || this.startAgain(page, 'sign_in_again');
  }

  private form(page: PageContext, errors: readonly FieldError[]): PageAnswer {
    return page.render(TITLE, codeView(SECOND_FACTOR_STEP, page.csrfToken, errors), { errors });
  }

  private startAgain(page: PageContext, flash: FlashKey): PageAnswer {
    this.pending.clear(page);
    return page.redirect('/users/sign_in', { flash });
  }
}
