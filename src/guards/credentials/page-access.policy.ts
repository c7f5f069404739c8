import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { AccessRule } from '#kernel/access/access.js';
import type { Actor, Caller } from '#kernel/access/caller.js';
import { cookieLine, readCookie } from '#kernel/html/cookies.js';
import { isLocalPath } from '#kernel/html/local-path.js';
import { noteVisit, RETURN_COOKIE, RETURN_MAX_AGE, SESSION_COOKIE } from '#kernel/html/visit.js';
import { forbidden, HttpError } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { csrfTokenOf } from '#core/sessions/csrf-token.js';
import { FIRST_STEPS, PASSWORD_EXPIRED, SECOND_FACTOR_DUE } from '#core/sign-in/first-steps.js';
import { AccessResolverQueries } from '../access/access-resolver.queries.js';
import { noteCaller } from '../access/note-caller.js';
import { assertFormToken } from './form-token.js';
import type { RouteInfo } from '../access/route-info.js';
import { ThrottleLimit } from '../throttle.limit.js';

const SIGN_IN = '/users/sign_in';

/** Values of the cookie that can be ours; with others nobody is signed in, and no form can be sent. */
const SECRET = /^[\w-]{43}$/;

const isRead = ({ method }: ApiRequest): boolean => method === 'GET' || method === 'HEAD';

/** What the token guard is to the API, this is to pages: settles who looks at them, by the session cookie and nothing else. */
@Injectable()
export class PageAccessPolicy {
  private readonly isSecure: boolean;

  constructor(
    private readonly resolver: AccessResolverQueries,
    private readonly throttle: ThrottleLimit,
    private readonly links: Links,
  ) {
    this.isSecure = links.base.startsWith('https://');
  }

  /** @throws 302 to the sign-in, 403 for whoever is no administrator, 422 for a form without its token, 429 */
  async admit(request: ApiRequest, response: Response, info: RouteInfo): Promise<void> {
    const { rule } = info;
    const secret = secretOf(request, rule);
    // Whatever else is sent along, later guards must not take for a credential.
    request.credential = { kind: 'none' };
    noteVisit(request, { user: null, sessionId: null, secret, isSecure: this.isSecure });
    const caller = await this.resolve(request, info, secret);
    request.access = caller;
    noteCaller(caller, request);
    const counting = this.throttle.admit(request, response, caller);
    if (counting) await counting;
    this.assertMayLook(request, rule, caller);
    if (!isRead(request)) assertFormToken(request, secret, this.links.base);
    const { actor: user, credential, secondFactorDueAt } = caller;
    const sessionId = credential?.id ?? null;
    noteVisit(request, { user, sessionId, secret, isSecure: this.isSecure, secondFactorDueAt });
  }

  /** Judges the session anew, for an answer that goes on. @throws 302, 403 */
  async judgeAgain(request: ApiRequest, info: RouteInfo): Promise<void> {
    const caller = await this.resolve(request, info, secretOf(request, info.rule));
    request.access = caller;
    this.assertMayLook(request, info.rule, caller);
  }

  private async resolve(request: ApiRequest, info: RouteInfo, secret: string | null): Promise<Caller> {
    if (secret !== null) {
      const csrf = csrfTokenOf(secret);
      const caller = await this.resolver.resolve(request, info, { kind: 'session', secret, csrf });
      if (mayAct(caller, info.rule)) return caller;
    }
    return info.subjectKind === null ? this.resolver.nobody() : this.resolver.resolve(request, info, null);
  }

  private assertMayLook(request: ApiRequest, rule: AccessRule, { actor }: Caller): void {
    if (rule.page !== 'user' && rule.page !== 'admin') return;
    if (!actor) throw this.turnAway(request, SIGN_IN);
    const firstStep = isFor(actor, rule) ? undefined : FIRST_STEPS.get(actor.state);
    if (firstStep !== undefined) throw this.turnAway(request, firstStep);
    if (rule.page === 'admin' && !actor.admin) throw forbidden();
  }

  /** Sends a visitor elsewhere first, and remembers the page that they wanted to see. */
  private turnAway(request: ApiRequest, location: string): HttpError {
    const path = request.originalUrl;
    const isKept = isRead(request) && isLocalPath(path);
    const options = { isSecure: this.isSecure, maxAge: RETURN_MAX_AGE };
    return new HttpError(
      302,
      { message: '302 Found' },
      {
        Location: location,
        ...(isKept ? { 'Set-Cookie': cookieLine(RETURN_COOKIE, encodeURIComponent(path), options) } : {}),
      },
    );
  }
}

function secretOf(request: ApiRequest, rule: AccessRule): string | null {
  const cookie = rule.page === 'asset' ? null : readCookie(request, SESSION_COOKIE);
  return cookie !== null && SECRET.test(cookie) ? cookie : null;
}

/** Whether a page is there for an account in its state: for those who have something to do first, where they can do it. */
const isFor = ({ state }: Actor, { expiredPassword, withoutSecondFactor }: AccessRule): boolean =>
  state === 'active' ||
  (state === PASSWORD_EXPIRED && expiredPassword === true) ||
  (state === SECOND_FACTOR_DUE && withoutSecondFactor === true);

/**
 * Accounts that are shut count as nobody; so do people who have something to do first, where pages are open to everybody and do not
 * say that they care.
 */
function mayAct({ owner }: Caller, rule: AccessRule): boolean {
  if (owner === null || owner.userType !== 'human') return owner === null;
  return isFor(owner, rule) || (rule.page !== 'open' && FIRST_STEPS.has(owner.state));
}
