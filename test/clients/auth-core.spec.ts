import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Auth, type AuthConfig } from '@auth/core';
import GitLab from '@auth/core/providers/gitlab';
import { startOauthWorld, type OauthWorld } from '../support/oauth-world.js';

const HOST = 'http://127.0.0.1:9';
const CALLBACK = `${HOST}/auth/callback/gitlab`;

/** A browser of the application, which remembers its cookies. */
class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly config: AuthConfig) {}

  async ask(path: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = new Request(new URL(path, HOST), {
      headers: { cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    const answer = await Auth(request, this.config);
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  /** URL to which the application sends users to sign in. */
  async signIn(): Promise<URL> {
    const { csrfToken } = (await (await this.ask('/auth/csrf')).json()) as { csrfToken: string };
    const answer = await this.ask('/auth/signin/gitlab', { csrfToken, callbackUrl: HOST });
    return new URL(answer.headers.get('location') ?? '');
  }
}

describe('Auth.js without discovery', () => {
  let world: OauthWorld;
  let config: AuthConfig;

  beforeAll(async () => {
    world = await startOauthWorld();
    const application = await world.register('read_user', { redirectUri: CALLBACK });
    config = {
      providers: [
        GitLab({
          clientId: application.application_id,
          clientSecret: application.secret,
          baseUrl: world.product.url,
        }),
      ],
      secret: 'a secret of the application',
      trustHost: true,
      logger: { error: () => undefined },
    };
  });
  afterAll(() => world.close());

  it('signs a user in and gets the profile', async () => {
    const browser = new Browser(config);
    const asked = await browser.signIn();
    expect(asked.origin).toBe(world.product.url);
    const back = await (await world.signedIn()).authorize(asked);
    expect(back.href.startsWith(CALLBACK)).toBe(true);
    const answer = await browser.ask(back.href);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, HOST]);
    const session = (await (await browser.ask('/auth/session')).json()) as object;
    expect(session).toMatchObject({ user: { name: 'Olga Auth', email: 'olga@example.com' } });
  });

  it('reports a denial', async () => {
    const browser = new Browser(config);
    const asked = await browser.signIn();
    asked.searchParams.set('prompt', 'consent');
    const visitor = await world.signedIn();
    const left = await visitor.send(await visitor.open(asked.href), 'Deny');
    if (!('location' in left)) throw new Error('The denial stays here');
    const answer = await browser.ask(left.location.href);
    expect(answer.headers.get('location')).toBe(`${HOST}/auth/signin?error=OAuthCallbackError`);
    expect(await (await browser.ask('/auth/session')).json()).toBeNull();
  });
});
