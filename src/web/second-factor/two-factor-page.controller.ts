import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { Actor } from '#kernel/access/caller.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Params } from '#kernel/http/fields/params.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { PasswordCheckService } from '#core/sign-in/password-check.service.js';
import { TwoFactorChangesService } from '#core/two-factor/two-factor-changes.service.js';
import { TwoFactorQueries } from '#core/two-factor/two-factor.queries.js';
import {
  TwoFactorSetUpService,
  type SetUpOwner,
  type TwoFactorSetUp,
} from '#core/two-factor/two-factor-set-up.service.js';
import { SECOND_FACTOR_PATH } from '#core/sign-in/first-steps.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, PageContext } from '../page-context.js';
import { START_PAGE } from '../sign-in/finish-sign-in.use-case.js';
import { forgetReturnPath, returnPathOf } from '../sign-in/return-path.js';
import { recoveryCodesView } from './recovery-codes.view.js';
import { setUpView } from './set-up.view.js';
import { statusView, type PasswordErrors } from './status.view.js';
import { RenewForm, SetUpForm, TurnOffForm } from './two-factor-page.params.js';

const TITLE = 'Two-factor authentication';
const CODES_TITLE = 'Your recovery codes';

const wrongPassword = (field: string): FieldError[] => [{ field, text: 'Invalid password.' }];

/** The user and session of the page; the rule of its routes requires a sign-in. */
const ownerOf = ({ actor, sessionId }: PageContext): SetUpOwner & Pick<Actor, 'username'> => {
  const { id, username } = actor;
  return { userId: id, sessionId: sessionId as number, username };
};

/** Page of the signed-in user's second factor: set-up, new recovery codes, turning it off. */
@Controller('-/profile/two_factor_auth')
export class TwoFactorPageController {
  constructor(
    private readonly settings: SettingsService,
    private readonly passwords: PasswordCheckService,
    private readonly queries: TwoFactorQueries,
    private readonly setUps: TwoFactorSetUpService,
    private readonly changes: TwoFactorChangesService,
  ) {}

  @Get()
  @Access({ page: 'user', withoutSecondFactor: true })
  @ReturnsPage()
  async show(@Page() page: PageContext): Promise<PageAnswer> {
    return this.status(page, null);
  }

  @Post()
  @Access({ page: 'user', withoutSecondFactor: true })
  @ReturnsPage()
  async turnOn(@Page() page: PageContext, @Params() form: SetUpForm): Promise<PageAnswer> {
    const owner = ownerOf(page);
    const setUp = this.setUps.reopen(form.sealed_secret, owner, owner.username);
    if (!setUp) {
      const fresh = this.setUps.begin(owner, owner.username);
      const text = 'The key has changed. Please remove it from your authenticator and scan the new one.';
      return this.setUp(page, fresh, [{ field: 'code', text }]);
    }
    if (!(await this.passwords.confirm(owner.userId, form.current_password)))
      return this.setUp(page, setUp, wrongPassword('current_password'));
    const enabled = await this.changes.enable(owner, setUp.secret, form.code);
    if ('codes' in enabled) {
      const next = returnPathOf(page) ?? START_PAGE;
      forgetReturnPath(page);
      return page.render(CODES_TITLE, recoveryCodesView(enabled.codes, next));
    }
    if (enabled.refused === 'already') return page.redirect(SECOND_FACTOR_PATH);
    return this.setUp(page, setUp, [{ field: 'code', text: 'Invalid two-factor code.' }]);
  }

  @Delete()
  @Access({ page: 'user' })
  @ReturnsPage()
  async turnOff(@Page() page: PageContext, @Params() form: TurnOffForm): Promise<PageAnswer> {
    const user = page.actor;
    if (!(await this.passwords.confirm(user.id, form.current_password)))
      return this.status(page, { of: 'disable', errors: wrongPassword('current_password') });
    await this.changes.disable(user, user.id);
    return page.redirect(SECOND_FACTOR_PATH, { flash: 'two_factor_disabled' });
  }

  @Post('codes')
  @Access({ page: 'user' })
  @ReturnsPage()
  async renewCodes(@Page() page: PageContext, @Params() form: RenewForm): Promise<PageAnswer> {
    const user = page.actor;
    if (!(await this.passwords.confirm(user.id, form.password)))
      return this.status(page, { of: 'renew', errors: wrongPassword('password') });
    const codes = await this.changes.renewCodes(user, user.id);
    if (codes === null) return page.redirect(SECOND_FACTOR_PATH);
    return page.render(CODES_TITLE, recoveryCodesView(codes, SECOND_FACTOR_PATH));
  }

  private async status(page: PageContext, failed: PasswordErrors | null): Promise<PageAnswer> {
    const owner = ownerOf(page);
    const factor = await this.queries.findOrNull(owner.userId);
    if (!factor) return this.setUp(page, this.setUps.begin(owner, owner.username), []);
    const isRequired = this.settings.values.require_two_factor_authentication || factor.is_asked;
    const body = statusView(factor, page.csrfToken, isRequired, failed);
    return page.render(TITLE, body, { errors: failed?.errors ?? [] });
  }

  private setUp(page: PageContext, setUp: TwoFactorSetUp, errors: readonly FieldError[]): PageAnswer {
    return page.render(TITLE, setUpView(setUp, page.csrfToken, page.secondFactorDueAt, errors), { errors });
  }
}
