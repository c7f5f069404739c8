import { CookieJar } from './cookie-jar.js';

/** One response to a browser, without following redirects. */
export interface PageReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `Set-Cookie` lines. */
  readonly cookies: readonly string[];
  readonly location: string | null;
}

type Pairs = readonly (readonly [string, string])[];
type Fields = Readonly<Record<string, string>> | Pairs;

const isPairs = (fields: Fields): fields is Pairs => Array.isArray(fields);

/**
 * A browser that keeps cookies and sends forms manually: tests see each response, and can send what no form
 * would.
 */
export class PageClient {
  readonly jar = new CookieJar();
  /** The token of the last form that was received. */
  formToken = '';

  constructor(private readonly base: string) {}

  get(path: string, headers: Record<string, string> = {}): Promise<PageReply> {
    return this.send('GET', path, undefined, headers);
  }

  /** Sends a form with the token of the last received one, unless the fields have another. */
  submit(path: string, fields: Fields = {}, headers: Record<string, string> = {}): Promise<PageReply> {
    const pairs: [string, string][] = isPairs(fields)
      ? fields.map(([name, value]) => [name, value])
      : Object.entries(fields);
    const body = new URLSearchParams(pairs);
    if (!body.has('authenticity_token')) body.set('authenticity_token', this.formToken);
    return this.send('POST', path, body, headers);
  }

  /** Opens the sign-in page and sends it filled in. */
  async signIn(
    login: string,
    password: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<PageReply> {
    await this.get('/users/sign_in');
    return this.submit('/users/sign_in', { 'user[login]': login, 'user[password]': password, ...more });
  }

  async send(
    method: string,
    path: string,
    body?: URLSearchParams | string,
    headers: Record<string, string> = {},
  ): Promise<PageReply> {
    const cookie = this.jar.header;
    const answer = await fetch(`${this.base}${path}`, {
      method,
      redirect: 'manual',
      headers: { Accept: 'text/html', ...(cookie === '' ? {} : { Cookie: cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    const cookies = answer.headers.getSetCookie();
    this.jar.keep(cookies);
    const token = /name="authenticity_token" value="([^"]*)"/.exec(text)?.[1];
    if (token !== undefined) this.formToken = token;
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      cookies,
      location: answer.headers.get('location'),
    };
  }
}
