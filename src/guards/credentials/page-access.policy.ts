import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { AccessRule } from '#kernel/access/access.js';
import type { Actor, Caller } from '#kernel/access/caller.js';
import { cookieLine, readCookie } from '#kernel/html/cookies.js';
import { isLocalPath } from '#kernel/html/local-path.js';
import {
  FLASH_COOKIE,
  FLASH_MAX_AGE,
  NOT_SAVED,
  noteVisit,
  RETURN_COOKIE,
  RETURN_MAX_AGE,
  SESSION_COOKIE,
} from '#kernel/html/visit.js';
import { forbidden, HttpError } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { csrfTokenOf } from '#core/sessions/csrf-token.js';
import { FIRST_STEPS, PASSWORD_EXPIRED, SECOND_FACTOR_DUE } from '#core/sign-in/first-steps.js';
import { AccessResolverQueries } from '../access/access-resolver.queries.js';
import { noteCaller } from '../access/note-caller.js';
import { assertFormToken, isSentByUs, pageOfForm } from './form-token.js';
import type { RouteInfo } from '../access/route-info.js';
import { ThrottleLimit } from '../throttle.limit.js';

const SIGN_IN = '/users/sign_in';

/** Format of our cookie. With any other value the visitor is not signed in, and no form can be submitted. */
const SECRET = /^[\w-]{43}$/;

const isRead = ({ method }: ApiRequest): boolean => method === 'GET' || method === 'HEAD';

/** Counterpart of the token guard for pages: resolves the viewer from the session cookie and nothing else. */
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

  /** @throws 302 to the sign-in page, 403 for non-administrators, 422 for a form without its token, 429 */
  async admit(request: ApiRequest, response: Response, info: RouteInfo): Promise<void> {
    const { rule } = info;
    const secret = secretOf(request, rule);
    // Later guards must not accept any other credential that was sent along.
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

  /** Checks the session again, for a long-lived response. @throws 302, 403 */
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
    if (!actor) throw this.turnAway(request, rule, SIGN_IN);
    const firstStep = isFor(actor, rule) ? undefined : FIRST_STEPS.get(actor.state);
    if (firstStep !== undefined) throw this.turnAway(request, rule, firstStep);
    if (rule.page === 'admin' && !actor.admin) throw forbidden();
  }

  /**
   * Redirects a visitor to another page, and remembers the page that they requested, or whose form they have sent, which is said
   * to be lost; not a stream of events, which the script of an open page requests again by itself after its session has ended.
   */
  private turnAway(request: ApiRequest, { lasting: isStream }: AccessRule, location: string): HttpError {
    const isLost = !isRead(request) && location === SIGN_IN && isSentByUs(request, this.links.base);
    const path = isRead(request) ? request.originalUrl : isLost ? pageOfForm(request, this.links.base) : null;
    const keep = (name: string, value: string, maxAge: number): string =>
      cookieLine(name, value, { isSecure: this.isSecure, maxAge });
    const cookies = [
      ...(!isStream && isLocalPath(path)
        ? [keep(RETURN_COOKIE, encodeURIComponent(path), RETURN_MAX_AGE)]
        : []),
      ...(isLost ? [keep(FLASH_COOKIE, NOT_SAVED, FLASH_MAX_AGE)] : []),
    ];
    const headers = { Location: location, ...(cookies.length > 0 ? { 'Set-Cookie': cookies } : {}) };
    return new HttpError(302, { message: '302 Found' }, headers);
  }
}

function secretOf(request: ApiRequest, rule: AccessRule): string | null {
  const cookie = rule.page === 'asset' ? null : readCookie(request, SESSION_COOKIE);
  return cookie !== null && SECRET.test(cookie) ? cookie : null;
}

/**
 * Whether a page is available to an account in its state: those that must do something first get the pages
 * for it.
 */
const isFor = ({ state }: Actor, { expiredPassword, withoutSecondFactor }: AccessRule): boolean =>
  state === 'active' ||
  (state === PASSWORD_EXPIRED && expiredPassword === true) ||
  (state === SECOND_FACTOR_DUE && withoutSecondFactor === true);

/**
 * Closed accounts count as anonymous. So do users who must do something first, on pages that are open to
 * everyone and do not handle that state.
 */
function mayAct({ owner }: Caller, rule: AccessRule): boolean {
  if (owner === null || owner.userType !== 'human') return owner === null;
  return isFor(owner, rule) || (rule.page !== 'open' && FIRST_STEPS.has(owner.state));
}
