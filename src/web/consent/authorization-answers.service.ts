import { Injectable } from '@nestjs/common';
import { PageAnswer, redirectTo } from '#kernel/html/page-answer.js';
import { CHALLENGE } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { OUT_OF_BAND_URI } from '#core/oauth-tokens/applications/redirect-uri.js';
import {
  granted,
  locationOf,
  refused,
  type AuthorizationResponse,
  type ReturnAddress,
} from '#features/oauth/authorization/authorization-response.js';
import type { Refusal } from '#features/oauth/authorization/refusal.js';
import type { RequestRefused } from '#features/oauth/authorization/request-refused.js';
import type { PageContext } from '../page-context.js';
import { AUTHORIZE_PATH } from './authorize-path.js';
import { formPostPage } from './code-page.js';
import { formSourceOf } from './redirect-target.js';
import { refusalPage } from './refusal-page.js';

/** Codes must not end up in caches or in the referrer sent to the next site (OAUTH-22, OAUTH-23). */
const TRACELESS = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** The same response with headers that keep it out of caches and referrers. */
export const traceless = ({ status, body, extras }: PageAnswer): PageAnswer =>
  new PageAnswer(status, body, { ...extras, headers: { ...extras.headers, ...TRACELESS } });

/** HTTP status of errors returned as JSON (`auth-core.md` 1.2). */
const statusOf = ({ error }: Refusal): number =>
  error === 'invalid_client' || error === 'unauthorized_client' ? 401 : 400;

/** Builds the responses to authorization requests. */
@Injectable()
export class AuthorizationAnswersService {
  constructor(private readonly links: Links) {}

  /**
   * Passes the code to the client, either by a redirect, which is 302 and never 307 (RFC 9700 4.12), or by a
   * form.
   */
  granted(page: PageContext, to: ReturnAddress, code: string): PageAnswer {
    if (to.redirectUri === OUT_OF_BAND_URI) {
      return traceless(page.redirect(`${AUTHORIZE_PATH}/native?code=${code}`, { status: 302 }));
    }
    return this.send(page, granted(to, code, this.links.base));
  }

  /** Reports the error to the client, or to the visitor if there is no client that may be told. */
  refused(page: PageContext, { refusal, to }: RequestRefused): PageAnswer {
    if (to === null || to.redirectUri === OUT_OF_BAND_URI) {
      return traceless(page.render('Nothing has been authorized', refusalPage(refusal), { status: 400 }));
    }
    return this.send(page, refused(to, refusal, this.links.base));
  }

  /**
   * The same for a submitted form: it may come from a program without a trustworthy client, which gets JSON
   * (AUTH-5).
   */
  refusedForm(page: PageContext, error: RequestRefused): PageAnswer {
    if (error.to !== null) return this.refused(page, error);
    const { error: code, description } = error.refusal;
    const body = JSON.stringify({ error: code, error_description: description });
    return new PageAnswer(statusOf(error.refusal), body, {
      headers: { ...TRACELESS, 'Content-Type': 'application/json', 'WWW-Authenticate': CHALLENGE },
    });
  }

  private send(page: PageContext, response: AuthorizationResponse): PageAnswer {
    const { redirectUri, mode, parameters } = response;
    if (mode !== 'form_post') return redirectTo(locationOf(response), 302, { headers: TRACELESS });
    const form = formPostPage(redirectUri, parameters);
    return traceless(page.render('Back to the application', form, { formAction: formSourceOf(redirectUri) }));
  }
}
