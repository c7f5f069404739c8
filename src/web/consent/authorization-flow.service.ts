import { Injectable } from '@nestjs/common';
import { isLocalPath } from '#kernel/html/local-path.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { RETURN_COOKIE, RETURN_MAX_AGE } from '#kernel/html/visit.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { FIRST_STEPS } from '#core/sign-in/first-steps.js';
import { AuthorizationChecksService } from '#features/oauth/authorization/checks/authorization-checks.service.js';
import type { AuthorizationRequest } from '#features/oauth/authorization/authorization-request.js';
import {
  AuthorizingUserQueries,
  type AuthorizingUser,
} from '#features/oauth/authorization/authorizing-user.queries.js';
import { AuthorizationsService } from '#features/oauth/authorization/authorizations.service.js';
import { isSilent } from '#features/oauth/authorization/checks/prompts.js';
import { refusal, type RefusalCode } from '#features/oauth/authorization/refusal.js';
import { RequestRefused } from '#features/oauth/authorization/request-refused.js';
import type { SentParameters } from '#features/oauth/authorization/sent-parameters.js';
import { ShownRequestsService } from '#features/oauth/authorization/shown-requests.service.js';
import { isSignInDue } from '#features/oauth/authorization/checks/sign-in-due.js';
import { hindranceOf } from '#features/oauth/authorization/checks/visitor-hindrance.js';
import type { PageContext } from '../page-context.js';
import { ApplicationOwnerQueries } from './application-owner.queries.js';
import { AuthorizationAnswersService, traceless } from './authorization-answers.service.js';
import { pathAfterSignIn } from './authorize-path.js';
import { consentPage, plainName } from './consent-page.js';
import { formSourceOf } from './redirect-target.js';
import { HINDRANCE_TITLES, hindrancePage, signInFirstPage } from './refusal-page.js';
import type { SentForm } from './sent-form.js';

/** Limit of characters of a request kept in a cookie: browsers drop cookies of more than 4 KB. */
const MAX_KEPT = 3900;

/** Leads an authorization request through its steps. */
@Injectable()
export class AuthorizationFlowService {
  constructor(
    private readonly checks: AuthorizationChecksService,
    private readonly users: AuthorizingUserQueries,
    private readonly owners: ApplicationOwnerQueries,
    private readonly authorizations: AuthorizationsService,
    private readonly shownRequests: ShownRequestsService,
    private readonly settings: SettingsService,
    private readonly answers: AuthorizationAnswersService,
  ) {}

  /**
   * Asks the user for consent unless it is not needed. Errors in the request are reported to the client only
   * once the user has signed in, or if the client requested that no page be shown: otherwise this would be an
   * open redirector (RFC 9700 4.11.2).
   * @throws RequestRefused
   */
  async ask(form: SentForm, page: PageContext): Promise<PageAnswer> {
    const { parameters } = form;
    const addressee = await this.checks.addressee(parameters);
    const user = await this.userOf(page);
    if (!user && !isSilent(parameters)) return signIn(page, parameters);
    const request = this.checks.request(addressee, parameters, user);
    if (!user || isSignInDue(parameters, user.authenticatedAt, form.signInAskedAt)) {
      refuseSilence(request, 'login_required');
      return signIn(page, parameters);
    }
    const hindered = this.hindered(form, page, request, user);
    if (hindered) return hindered;
    const isDue = await this.authorizations.isConsentDue(request, user);
    if (isDue) refuseSilence(request, 'consent_required');
    // A HEAD request changes nothing, so it creates no code.
    if (isDue || form.isHead) return this.show(page, request, user, false);
    const code = await this.authorizations.pass(request, user);
    return code === null ? this.ask(form, page) : this.answers.granted(page, request.to, code);
  }

  /**
   * Handles an approval. It applies only to what the page showed in this session: for any other request the
   * page is shown again (CVE-2020-13300). Everything is checked again. @throws RequestRefused
   */
  async approve(form: SentForm, page: PageContext): Promise<PageAnswer> {
    const { parameters, matches } = this.readApproval(form, page);
    const addressee = await this.checks.addressee(parameters);
    const user = await this.userOf(page);
    if (!user) return signIn(page, parameters);
    const request = this.checks.request(addressee, parameters, user);
    const hindered = this.hindered(form, page, request, user);
    if (hindered) return hindered;
    if (!matches(request)) return this.askAgain(request, user, { form, page });
    const code = await this.authorizations.approve(request, user);
    return code === null ? this.approve(form, page) : this.answers.granted(page, request.to, code);
  }

  /** Handles a denial and reports it to the client, if there is one. @throws RequestRefused, always */
  async deny(form: SentForm, page: PageContext): Promise<never> {
    const { to } = await this.checks.addressee(this.readApproval(form, page).parameters);
    throw new RequestRefused(refusal('access_denied'), to);
  }

  /** Handles a form that is not an approval as a new request: many need no consent. */
  private async askAgain(
    request: AuthorizationRequest,
    user: AuthorizingUser,
    { form, page }: { form: SentForm; page: PageContext },
  ): Promise<PageAnswer> {
    const { parameters } = request;
    if (isSignInDue(parameters, user.authenticatedAt, form.signInAskedAt)) return signIn(page, parameters);
    if (await this.authorizations.isConsentDue(request, user)) return this.show(page, request, user, true);
    const code = await this.authorizations.pass(request, user);
    return code === null ? this.approve(form, page) : this.answers.granted(page, request.to, code);
  }

  /**
   * Returns the request that a form is about: the one its page showed, unless other parameters were sent
   * along.
   */
  private readApproval(
    { parameters, shown: sealed }: SentForm,
    { sessionId }: PageContext,
  ): { parameters: SentParameters; matches: (request: AuthorizationRequest) => boolean } {
    const shown = sessionId === null ? null : this.shownRequests.open(sealed, sessionId);
    if (!shown || !parameters.agreesWith(shown.parameters)) return { parameters, matches: () => false };
    return { parameters: shown.parameters, matches: (request) => shown.matches(request) };
  }

  private async userOf({ sessionId }: PageContext): Promise<AuthorizingUser | null> {
    return sessionId === null ? null : this.users.findOrNull(sessionId);
  }

  /**
   * The page for a user who has to do something else first or may not authorize the application; null for all
   * others.
   */
  private hindered(
    { signInAskedAt }: SentForm,
    page: PageContext,
    request: AuthorizationRequest,
    user: AuthorizingUser,
  ): PageAnswer | null {
    const firstStep = FIRST_STEPS.get(page.user?.state ?? '');
    if (firstStep !== undefined) {
      refuseSilence(request, 'interaction_required');
      // The sign-in that the request demands has taken place: this step must not make it due again.
      return leadTo(firstStep, page, pathAfterSignIn(request.parameters, signInAskedAt));
    }
    const hindrance = hindranceOf(user, request.application, this.settings.values);
    if (hindrance === null) return null;
    refuseSilence(request, 'interaction_required');
    return traceless(page.render(HINDRANCE_TITLES[hindrance], hindrancePage(hindrance), { status: 403 }));
  }

  private async show(
    page: PageContext,
    request: AuthorizationRequest,
    user: AuthorizingUser,
    isChanged: boolean,
  ): Promise<PageAnswer> {
    const view = consentPage({
      request,
      user,
      owner: await this.owners.usernameOrNull(request.application.ownerId),
      sealed: this.shownRequests.seal(request, user.sessionId),
      csrfToken: page.csrfToken,
      isChanged,
    });
    const options = { status: isChanged ? 422 : 200, formAction: formSourceOf(request.to.redirectUri) };
    return traceless(page.render(`Authorize ${plainName(request.application.name)}?`, view, options));
  }
}

/** If the client requested that no page be shown, reports the reason for which one would have been needed. */
function refuseSilence({ parameters, to }: AuthorizationRequest, error: RefusalCode): void {
  if (isSilent(parameters)) throw new RequestRefused(refusal(error), to);
}

/**
 * Redirects to another page that later returns to this request, at `path`. A request too long for the cookie has to be
 * sent again.
 */
function leadTo(location: string, page: PageContext, path: string): PageAnswer {
  const kept = encodeURIComponent(path);
  if (!isLocalPath(path) || kept.length > MAX_KEPT) {
    return traceless(page.render('Please sign in first', signInFirstPage(location), { status: 400 }));
  }
  page.setCookie(RETURN_COOKIE, kept, RETURN_MAX_AGE);
  return traceless(page.redirect(location, { status: 302 }));
}

const signIn = (page: PageContext, parameters: SentParameters): PageAnswer =>
  leadTo('/users/sign_in', page, pathAfterSignIn(parameters, new Date()));
