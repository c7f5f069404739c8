import type { StartedSession } from '#core/sessions/sessions.service.js';
import type { TestApi } from './api.js';
import type { Answer } from './client.js';
import type { BuiltApplication } from './builders/oauth.js';
import { buildSession } from './builders/session.js';
import { formOf } from './html-forms.js';

/** Parameters of an authorization request. */
export type Parameters = Readonly<Record<string, string>>;

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Valid parameters, for a confidential application of `buildApplication`. */
export const goodRequest = (application: BuiltApplication, changes: Parameters = {}): Parameters => ({
  client_id: application.uid,
  redirect_uri: application.redirectUri,
  response_type: 'code',
  scope: 'read_user',
  state: 'a state',
  ...changes,
});

/** A challenge of S256, with its verifier of RFC 7636 appendix B. */
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Location of a response. */
export const locationOf = (answer: Answer): string => answer.headers.get('location') ?? '';

/** A request that lacks some parameters. */
export const without = (parameters: Parameters, ...names: string[]): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

/** Parameters of the redirect to the client. */
export const returned = (answer: Answer): Record<string, string> =>
  Object.fromEntries(new URL(locationOf(answer), 'http://forgeplane.test').searchParams);

/** The fields of the form on a page whose button has this label. */
export const fieldsOf = (html: string, label: string): Record<string, string> =>
  Object.fromEntries(formOf(html, label).values);

/** A user's browser at the authorization endpoint. */
export class ConsentBrowser {
  private constructor(
    private readonly api: TestApi,
    readonly session: StartedSession,
  ) {}

  /** A browser in which a user has signed in. */
  static async of(api: TestApi, userId: number): Promise<ConsentBrowser> {
    return new ConsentBrowser(api, await buildSession(api, userId));
  }

  private get cookie(): Record<string, string> {
    return { Cookie: `_service_session=${this.session.secret}`, Accept: 'text/html' };
  }

  /** Opens the authorization endpoint; a text is a raw query. */
  ask(query: Parameters | string): Promise<Answer> {
    const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
    return this.api.anonymous.get(`/oauth/authorize?${text}`, this.cookie);
  }

  /** Opens another path. */
  open(path: string): Promise<Answer> {
    return this.api.anonymous.get(path, this.cookie);
  }

  /** Sends a form to the endpoint, with the token of the session unless the fields have another. */
  send(fields: Parameters | string, method = 'POST', headers: Parameters = {}): Promise<Answer> {
    const body =
      typeof fields === 'string'
        ? fields
        : new URLSearchParams({ authenticity_token: this.session.csrfToken, ...fields }).toString();
    return this.api.anonymous.send(method, '/oauth/authorize', body, { ...this.cookie, ...FORM, ...headers });
  }

  /** Opens the page, and sends the form with the given button, with its fields changed by `changes`. */
  async decide(request: Parameters, label: 'Authorize' | 'Deny', changes: Parameters = {}): Promise<Answer> {
    const page = await this.ask(request);
    return this.send({ ...fieldsOf(page.text, label), ...changes });
  }
}
