import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { requestLogger } from '#kernel/log/logger.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { addUser, type AddedUser } from '../../../../support/builders/instance.js';
import { buildApplication, CALLBACK, type BuiltApplication } from '../../../../support/builders/oauth.js';
import { ConsentBrowser, fieldsOf, goodRequest, returned } from '../../../../support/consent.js';
import { until } from '../../../../support/until.js';

let api: TestApi;
let user: AddedUser;
let browser: ConsentBrowser;
let application: BuiltApplication;
beforeAll(async () => {
  api = await startApi();
  user = await addUser(api, 'asked');
  browser = await ConsentBrowser.of(api, user.id);
  application = await buildApplication(api, { scopes: ['api', 'read_user', 'write_repository', 'read_api'] });
});
afterAll(() => api.close());

const grants = async (): Promise<number> =>
  Number((await api.sql<{ total: string }>('select count(*) as total from oauth_grants'))[0]?.total);

describe('the consent page', () => {
  it('shows who requests what, for whom, and where the response goes', async () => {
    const answer = await browser.ask(goodRequest(application, { scope: 'read_user read_api' }));
    expect(answer.status).toBe(200);
    for (const text of ['Authorize Client?', '@asked', 'Use another account', 'client.example.com'])
      expect(answer.text).toContain(text);
    expect(answer.text).toContain('Read your profile');
    expect(answer.text).toContain('Read the API');
    expect(answer.text).toContain('the administrators of this instance');
    expect(answer.text).not.toContain('This application asks for broad access');
    const buttons = [
      ...answer.text.matchAll(/<button type="submit" class="([^"]*)"[^>]*>\s*(Authorize|Deny)\s*</g),
    ];
    expect(buttons.map(([, look, label]) => [label, look])).toEqual([
      ['Authorize', 'button secondary'],
      ['Deny', 'button secondary'],
    ]);
  });

  it('warns about broad scopes, and names the user who registered the application', async () => {
    const owned = await buildApplication(api, { ownerId: user.id, scopes: ['api', 'write_repository'] });
    for (const scope of ['api', 'write_repository']) {
      const { text } = await browser.ask(goodRequest(owned, { scope }));
      expect(text).toContain('This application asks for broad access');
      expect(text).toContain('the user <bdi>@asked</bdi>');
    }
  });

  it('is never framed, cached or leaked by referrers, and its forms may lead to targets of this scheme', async () => {
    const { headers } = await browser.ask(goodRequest(application));
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https:;");
    expect(policy).toContain("default-src 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it.each([
    ['http://127.0.0.1:9999/callback', 'http:', 'a program on this device'],
    ['http://[::1]:9999/callback', 'http:', 'a program on this device'],
    ['com.example.app:/callback', 'com.example.app:', 'the program on this device that opens such links'],
    ['http://plain.example.com/callback', 'http:', 'not encrypted'],
    ['https://a.example.com;script-src/x', 'https:', 'a.example.com;script-src'],
  ])('names the target %s', async (redirectUri, source, words) => {
    const one = await buildApplication(api);
    // Written without the current rules: a URI of an older registration may break them.
    await api.sql('update oauth_applications set redirect_uris = array[$1] where id = $2', [
      redirectUri,
      one.id,
    ]);
    const { status, text, headers } = await browser.ask(goodRequest({ ...one, redirectUri }));
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${source};`);
    expect(text).toContain(words);
  });

  it('escapes any names of applications and users', async () => {
    const hostile = `</title><script>alert("1")</script><img src=x onerror='a'>&amp;\u202eevil`;
    const one = await buildApplication(api, { name: hostile });
    await api.sql('update users set name = $1 where id = $2', [`<b>"'`, user.id]);
    const { text } = await browser.ask(goodRequest(one, { state: `"><script>x</script>`, nonce: `'><i>` }));
    await api.sql(`update users set name = 'asked' where id = $1`, [user.id]);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<script>x');
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('<i>');
    expect(text).not.toContain('\u202e');
    expect(text).toContain('&lt;b&gt;&quot;&#39;');
    expect(text).toContain('&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)');
  });

  it('leads users who want to use another account to the sign-in page and back', async () => {
    const { text } = await browser.ask(goodRequest(application));
    const link = /href="(\/oauth\/authorize\?[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const answer = await browser.open(link);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/users/sign_in']);
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('_service_return_to='));
    expect(decodeURIComponent(cookie ?? '')).toContain(`/oauth/authorize?client_id=${application.uid}`);
  });
});

describe('an approval', () => {
  it('results in a code, and is recorded', async () => {
    const answer = await browser.decide(goodRequest(application, { nonce: 'n' }), 'Authorize');
    expect(answer.status).toBe(302);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(returned(answer)).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: 'a state',
    });
    const [grant] = await api.sql<Record<string, unknown>>(
      'select * from oauth_grants order by id desc limit 1',
    );
    expect(grant).toMatchObject({
      application_id: application.id,
      user_id: user.id,
      redirect_uri: CALLBACK,
      scopes: ['read_user'],
      nonce: 'n',
      code_challenge: null,
    });
    const [event] = await api.sql<{ details: Record<string, unknown>; author_id: number }>(
      `select details, author_id from audit_events where details->>'event_name' = 'user_authorized_oauth_application'`,
    );
    expect(event).toMatchObject({
      author_id: user.id,
      details: { target_type: 'OauthApplication', target_id: application.id, entity_path: 'asked' },
    });
  });

  it('requires the token of the session', async () => {
    const before = await grants();
    const fields = fieldsOf((await browser.ask(goodRequest(application))).text, 'Authorize');
    const stranger = await ConsentBrowser.of(api, (await addUser(api, 'stranger')).id);
    for (const token of ['', 'wrong', stranger.session.csrfToken, browser.session.secret])
      expect((await browser.send({ ...fields, authenticity_token: token })).status).toBe(422);
    for (const headers of [
      { Origin: 'https://evil.example.com' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ] as const)
      expect((await browser.send(fields, 'POST', headers as unknown as Record<string, string>)).status).toBe(
        422,
      );
    expect((await browser.send({ ...fields, authenticity_token: 'wrong', _method: 'delete' })).status).toBe(
      422,
    );
    expect(await grants()).toBe(before);
    expect((await browser.send(fields, 'POST', { Origin: 'null' })).status).toBe(302);
  });

  const shownAgain = async (changes: Record<string, string>): Promise<void> => {
    const before = await grants();
    const answer = await browser.decide(goodRequest(application), 'Authorize', changes);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Please look again');
    expect(await grants()).toBe(before);
  };

  it('applies only to the parameters that were shown: any other shows the page again', async () => {
    await shownAgain({ scope: 'api' });
    await shownAgain({ scope: 'read_user api' });
    await shownAgain({ state: 'another' });
    await shownAgain({ nonce: 'added' });
    await shownAgain({
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    await shownAgain({ response_mode: 'fragment' });
    await shownAgain({ prompt: 'consent' });
    await shownAgain({ request_token: '' });
    await shownAgain({ request_token: 'AAAA' });
  });

  it('is not valid for another redirect URI or client', async () => {
    const other = await buildApplication(api, { redirectUris: [CALLBACK, `${CALLBACK}/2`] });
    await shownAgain({ client_id: other.uid });
    const moved = await browser.decide(goodRequest(other), 'Authorize', { redirect_uri: `${CALLBACK}/2` });
    expect(moved.status).toBe(422);
    const refused = await browser.decide(goodRequest(application), 'Authorize', {
      redirect_uri: `${CALLBACK}/2`,
    });
    expect([refused.status, refused.body]).toMatchObject([400, { error: 'invalid_redirect_uri' }]);
  });

  it('is not valid in another session, not even of the same user', async () => {
    const fields = fieldsOf((await browser.ask(goodRequest(application))).text, 'Authorize');
    for (const id of [user.id, (await addUser(api, 'other-session')).id]) {
      const other = await ConsentBrowser.of(api, id);
      const answer = await other.send({ ...fields, authenticity_token: other.session.csrfToken });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('Please look again');
    }
  });

  it('is not valid for an application that has changed since (CVE-2020-13300)', async () => {
    const one = await buildApplication(api, { scopes: ['api'] });
    const request = goodRequest(one, { scope: 'api' });
    const fields = fieldsOf((await browser.ask(request)).text, 'Authorize');
    await api.sql(`update oauth_applications set name = 'Another' where id = $1`, [one.id]);
    expect((await browser.send(fields)).text).toContain('Authorize Another?');
    await api.sql(
      `update oauth_applications set name = 'Client', redirect_uris = '{https://x.example}' where id = $1`,
      [one.id],
    );
    expect((await browser.send(fields)).body).toMatchObject({ error: 'invalid_redirect_uri' });
    await api.sql(`update oauth_applications set redirect_uris = $2, scopes = '{read_user}' where id = $1`, [
      one.id,
      [CALLBACK],
    ]);
    expect(returned(await browser.send(fields))).toMatchObject({ error: 'invalid_scope' });
    await api.sql('delete from oauth_applications where id = $1', [one.id]);
    expect((await browser.send(fields)).status).toBe(401);
  });

  it('is valid for an hour', async () => {
    const fields = fieldsOf((await browser.ask(goodRequest(application))).text, 'Authorize');
    const now = Date.now;
    Date.now = () => now() + 3_700_000;
    try {
      expect((await browser.send(fields)).status).toBe(422);
    } finally {
      Date.now = now;
    }
  });

  it('leaves neither code, token nor cookie in the log', async () => {
    const lines: string[] = [];
    const former = requestLogger.level;
    requestLogger.level = 'info';
    jest.spyOn(requestLogger, 'info').mockImplementation((...line) => void lines.push(JSON.stringify(line)));
    try {
      const page = await browser.ask(goodRequest(application));
      const fields = fieldsOf(page.text, 'Authorize');
      const code = returned(await browser.send(fields))['code'] ?? '';
      await browser.open(`/oauth/authorize/native?code=${code}`);
      await until(() => lines.length === 3);
      const { secret, csrfToken } = browser.session;
      for (const one of [code, secret, csrfToken, (fields['request_token'] ?? '').slice(0, 40)]) {
        expect(one).not.toBe('');
        expect(lines.join('\n')).not.toContain(one);
      }
    } finally {
      jest.restoreAllMocks();
      requestLogger.level = former;
    }
  });

  it('uses the plain parameters if no consent is needed', async () => {
    const trusted = await buildApplication(api, { trusted: true });
    const answer = await browser.send(goodRequest(trusted));
    expect(answer.status).toBe(302);
    expect(returned(answer)).toMatchObject({ code: expect.any(String), state: 'a state' });
  });

  it('is impossible without a session', async () => {
    const answer = await api.anonymous.post(
      '/oauth/authorize',
      new URLSearchParams(goodRequest(application)).toString(),
      {
        'Content-Type': 'application/x-www-form-urlencoded',
      },
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/users/sign_in']);
    const withToken = await api.root.post('/oauth/authorize', goodRequest(application));
    expect([withToken.status, withToken.headers.get('location')]).toEqual([302, '/users/sign_in']);
  });
});
