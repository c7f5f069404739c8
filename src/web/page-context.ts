import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { randomToken } from '#kernel/crypto/tokens.js';
import { cookieLine, readCookie } from '#kernel/html/cookies.js';
import { html, type Html } from '#kernel/html/html.js';
import { isLocalPath } from '#kernel/html/local-path.js';
import { page, redirectTo, type PageAnswer } from '#kernel/html/page-answer.js';
import { FLASH_COOKIE, FLASH_MAX_AGE, SESSION_COOKIE, visitOf, type Visit } from '#kernel/html/visit.js';
import { requestOf, type ApiRequest } from '#kernel/http/request.js';
import { csrfTokenOf } from '#core/sessions/csrf-token.js';
import { SECOND_FACTOR_PATH } from '#core/sign-in/first-steps.js';
import { formSourceBehind } from './consent/redirect-target.js';
import { confirmation, type Question } from './forms/confirmation.view.js';
import { errorSummary } from './forms/form.view.js';
import { type FieldError } from './forms/form-fields.view.js';
import { htmlDocument } from './layout/document.js';
import { flashOf, type Flash, type FlashKey } from './layout/flash.js';
import { navigation } from './layout/navigation.js';
import { returnPathOf } from './sign-in/return-path.js';
import { secondFactorNotice } from './layout/second-factor-notice.js';

/** 258 random bits, as many as a session's secret has, so that the two cannot be told apart. */
const SECRET_LENGTH = 43;

/** Options for rendering a page. */
export interface RenderOptions {
  readonly status?: number;
  /**
   * Errors of the submitted form. They make the status 422 and are reported in the title and above the page.
   */
  readonly errors?: readonly FieldError[];
  /** Further sources that the forms of the page may redirect to. */
  readonly formAction?: readonly string[];
  readonly wide?: boolean;
  /** Whether the script of the page listens to events from this server. */
  readonly isLive?: boolean;
}

/** Context of a page for its handler: who views it, and the ways to respond. */
export class PageContext {
  /** The signed-in user, or null. */
  readonly user: Actor | null;
  /** The id of their session, or null. */
  readonly sessionId: number | null;
  /** The message left by the previous page, or null. */
  readonly flash: Flash | null;
  private readonly visit: Visit;
  private freshSecret: string | null = null;
  private readonly cookies: string[] = [];

  constructor(private readonly request: ApiRequest) {
    const visit = visitOf(request);
    if (!visit) throw new Error('Only routes with a page rule have a page');
    this.visit = visit;
    this.user = visit.user;
    this.sessionId = visit.sessionId;
    this.flash = flashOf(readCookie(request, FLASH_COOKIE));
  }

  /**
   * The signed-in user, for routes whose rule requires a sign-in. @throws Error on a page that is open to
   * everyone
   */
  get actor(): Actor {
    if (!this.user) throw new Error('Nobody is signed in');
    return this.user;
  }

  /**
   * The token that forms of this page must send back. Visitors without a session get a cookie that it is
   * checked against.
   */
  get csrfToken(): string {
    const secret = this.visit.secret ?? (this.freshSecret ??= randomToken('', SECRET_LENGTH));
    return csrfTokenOf(secret);
  }

  /** The deadline for setting up a second factor that is still missing; null if none is required. */
  get secondFactorDueAt(): Date | null {
    return this.visit.secondFactorDueAt ?? null;
  }

  /** The user agent of the visitor's browser, or null. */
  get userAgent(): string | null {
    return this.request.headers['user-agent'] ?? null;
  }

  /** Returns the value of one of our cookies, or null. */
  cookie(name: string): string | null {
    return readCookie(this.request, name);
  }

  /** Sets a cookie for `maxAge` seconds, or until the browser closes if omitted; 0 removes it. */
  setCookie(name: string, value: string, maxAge?: number): void {
    this.cookies.push(cookieLine(name, value, { isSecure: this.visit.isSecure, maxAge }));
  }

  /** Renders a page with the given title and content. */
  render(
    title: string,
    body: Html,
    { status, errors = [], formAction = [], wide, isLive }: RenderOptions = {},
  ): PageAnswer {
    const isBad = errors.length > 0;
    const path = this.request.originalUrl.split('?', 1)[0] ?? '';
    const dueAt = path === SECOND_FACTOR_PATH ? null : this.secondFactorDueAt;
    const document = htmlDocument({
      title: isBad ? `Errors: ${title}` : title,
      navigation: this.user && navigation(path, this.user.admin, this.csrfToken),
      main: html`${this.flash && notice(this.flash)}${dueAt && secondFactorNotice(dueAt)}
        <h1>${title}</h1>
        ${errorSummary(errors)}${body}`,
      wide,
    });
    if (this.flash) this.setCookie(FLASH_COOKIE, '', 0);
    return page(document, status ?? (isBad ? 422 : 200), {
      cookies: this.allCookies(),
      formAction: [...formAction, ...formSourceBehind(returnPathOf(this))],
      isLive,
    });
  }

  /** Renders a page that asks to confirm an action. */
  ask(title: string, question: Omit<Question, 'csrfToken'>): PageAnswer {
    return this.render(title, confirmation({ ...question, csrfToken: this.csrfToken }));
  }

  /**
   * Redirects to another of our pages, usually after a form was accepted. @throws Error for a path that could
   * lead elsewhere
   */
  redirect(path: string, { flash, status = 303 }: { flash?: FlashKey; status?: 302 | 303 } = {}): PageAnswer {
    if (!isLocalPath(path)) throw new Error('Pages only redirect to pages');
    if (flash !== undefined) this.setCookie(FLASH_COOKIE, flash, FLASH_MAX_AGE);
    return redirectTo(path, status, { cookies: this.allCookies() });
  }

  private allCookies(): string[] {
    if (this.freshSecret !== null) this.setCookie(SESSION_COOKIE, this.freshSecret);
    return this.cookies;
  }
}

const notice = ({ tone, text }: Flash): Html =>
  html`<div class="notice ${tone === 'plain' ? '' : tone}" role="status"><p>${text}</p></div>`;

/** Parameter decorator that passes the page context to a handler. */
export const Page = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => new PageContext(requestOf(context)),
);
