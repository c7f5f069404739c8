import { CookieJar } from './cookie-jar.js';
import { formOf } from './html-forms.js';

/** A page as seen by a visitor without JavaScript. */
export interface VisitedPage {
  readonly status: number;
  readonly url: string;
  readonly html: string;
}

/** The URL of a redirect that leaves the service. */
export interface Departure {
  readonly status: number;
  readonly location: URL;
}

/** A visitor whose browser keeps cookies, follows redirects within the service and sends forms, without scripts. */
export class Visitor {
  private readonly cookies = new CookieJar();

  constructor(private readonly base: string) {}

  /** Opens a page of the service, through its redirects. */
  async open(path: string): Promise<VisitedPage> {
    const opened = await this.request('GET', new URL(path, this.base));
    if ('location' in opened) throw new Error(`${path} leads away, to ${opened.location.href}`);
    return opened;
  }

  /** Opens a page that should redirect to another site. */
  async leave(path: string): Promise<Departure> {
    const opened = await this.request('GET', new URL(path, this.base));
    if (!('location' in opened))
      throw new Error(`${path} stays at ${opened.url} (${opened.status}): ${opened.html.slice(0, 2000)}`);
    return opened;
  }

  /** Sends the form of a page that has `button` as a text, with its values changed by `changes`. */
  async send(
    page: VisitedPage,
    button: string,
    changes: Readonly<Record<string, string>> = {},
  ): Promise<VisitedPage | Departure> {
    const form = formOf(page.html, button);
    const unchanged = form.values.filter(([name]) => !Object.hasOwn(changes, name));
    const body = new URLSearchParams(unchanged);
    for (const [name, value] of Object.entries(changes)) body.append(name, value);
    return this.request(
      form.method.toUpperCase(),
      new URL(form.action === '' ? page.url : form.action, page.url),
      body,
    );
  }

  /** Signs in. @throws if that fails */
  async signIn(login: string, password: string): Promise<VisitedPage> {
    const answer = await this.send(await this.open('/users/sign_in'), 'user[password]', {
      'user[login]': login,
      'user[password]': password,
    });
    if ('location' in answer || answer.status !== 200) throw new Error(`Signing in as ${login} failed`);
    return answer;
  }

  /** Requests authorization, approves if prompted, and returns the URL that the service redirects to. */
  async authorize(url: URL | string): Promise<URL> {
    const opened = await this.request('GET', new URL(url));
    if ('location' in opened) return opened.location;
    const approved = await this.send(opened, 'Authorize');
    if (!('location' in approved))
      throw new Error(`Not approved: ${approved.status} ${approved.html.slice(0, 2000)}`);
    return approved.location;
  }

  private async request(
    method: string,
    url: URL,
    body?: URLSearchParams,
    left = 10,
  ): Promise<VisitedPage | Departure> {
    const isGet = method === 'GET';
    const target = new URL(url);
    if (isGet && body) target.search = body.toString();
    const answer = await fetch(target, {
      method,
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        Cookie: this.cookies.header,
        ...(isGet ? {} : { Origin: new URL(this.base).origin }),
      },
      ...(isGet || !body ? {} : { body }),
    });
    this.cookies.keep(answer.headers.getSetCookie());
    const location = answer.headers.get('location');
    if (answer.status >= 300 && answer.status < 400 && location !== null) {
      const next = new URL(location, target);
      if (next.origin !== new URL(this.base).origin) return { status: answer.status, location: next };
      if (left === 0) throw new Error(`Too many redirects at ${next.href}`);
      return this.request('GET', next, undefined, left - 1);
    }
    return { status: answer.status, url: target.href, html: await answer.text() };
  }
}
