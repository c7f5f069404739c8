import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { addPerson, PASSWORD, type Person } from '../../../support/builders/person.js';
import { buildBrowser } from '../../../support/builders/session.js';
import { addSecondFactor, codeOf } from '../../../support/builders/second-factor.js';
import { buildToken } from '../../../support/builders/token.js';
import type { PageClient } from '../../../support/page-client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const SET_UP = '/-/profile/two_factor_auth';

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterEach(() => demand(false));
afterAll(() => api.close());

/** Turns the requirement on or off, with the grace period in hours. */
async function demand(isOn: boolean, hours = 48): Promise<void> {
  const answer = await api.root.put('/application/settings', {
    require_two_factor_authentication: isOn,
    two_factor_grace_period: hours,
  });
  expect(answer.status).toBe(200);
}

let count = 0;
const someone = async (): Promise<{ person: Person; browser: PageClient }> => {
  const person = await addPerson(api, `person-${(count += 1)}`);
  return { person, browser: await buildBrowser(api, person.id) };
};
const startedAt = async ({ id }: Person): Promise<Date | null> => {
  const text = 'select two_factor_grace_started_at as at from users where id = $1';
  return (await api.sql<{ at: Date | null }>(text, [id]))[0]?.at ?? null;
};
const startedHoursAgo = (id: number, hours: number): Promise<unknown> =>
  api.sql(`update users set two_factor_grace_started_at = now() - make_interval(hours => $2) where id = $1`, [
    id,
    hours,
  ]);
const apiStatus = async (browser: PageClient, path = '/api/v4/version'): Promise<number> =>
  (await browser.get(path)).status;

describe('an instance that requires two-factor authentication', () => {
  it('shows users on every page, from the first one on, how much time they have left', async () => {
    const { person, browser } = await someone();
    expect((await browser.get('/-/profile')).text).not.toContain('must use two-factor');
    expect(await startedAt(person)).toBeNull();
    await demand(true);
    const page = await browser.get('/-/profile');
    expect(page.status).toBe(200);
    expect(page.text).toContain('Your account must use two-factor authentication');
    await until(async () => (await startedAt(person)) !== null);
    const started = (await startedAt(person)) as Date;
    const due = /before\s+<time datetime="([^"]+)"/.exec((await browser.get('/-/profile')).text)?.[1] ?? '';
    expect(new Date(due).getTime()).toBe(started.getTime() + 48 * 3_600_000);
    expect(await apiStatus(browser)).toBe(200);
  });

  it('redirects them to the setup once the time is over, and back afterwards', async () => {
    const { person, browser } = await someone();
    await demand(true);
    await startedHoursAgo(person.id, 48);
    for (const path of ['/-/profile', '/-/profile/personal_access_tokens', '/-/profile/applications']) {
      const reply = await browser.get(path);
      expect([reply.status, reply.location]).toEqual([302, SET_UP]);
    }
    const page = await browser.get(SET_UP);
    expect(page.text).toContain('Please set it up before you continue.');
    const [, sealed = ''] = /name="sealed_secret" value="([^"]+)"/.exec(page.text) ?? [];
    const [, key = ''] = /id="two-factor-key">([^<]+)</.exec(page.text) ?? [];
    const code = codeOf(key.replaceAll(' ', ''));
    const fields = { sealed_secret: sealed, code, current_password: PASSWORD };
    const done = await browser.submit(SET_UP, fields);
    expect(done.text).toContain('href="/-/profile/applications"');
    expect(done.text).not.toContain('Please set it up');
    expect((await browser.get('/-/profile')).status).toBe(200);
    expect(await apiStatus(browser)).toBe(200);
  });

  it('accepts no forms from them except the setup and the sign-out', async () => {
    const { person, browser } = await someone();
    await browser.get('/-/profile');
    await demand(true);
    await startedHoursAgo(person.id, 49);
    const reply = await browser.submit('/-/profile/personal_access_tokens', { name: 'x', 'scopes[]': 'api' });
    expect([reply.status, reply.location]).toEqual([302, SET_UP]);
    expect(
      await api.sql("select 1 from personal_access_tokens where user_id = $1 and name <> 'test'", [
        person.id,
      ]),
    ).toEqual([]);
    const out = await browser.submit('/users/sign_out');
    expect([out.status, out.location]).toEqual([303, '/users/sign_in']);
    expect(await api.sql('select 1 from sessions where user_id = $1', [person.id])).toEqual([]);
  });

  it('refuses their sessions on the API, for reading and writing, but never their tokens', async () => {
    const { person, browser } = await someone();
    const { token } = await buildToken(api, person.id);
    await demand(true);
    await startedHoursAgo(person.id, 49);
    expect(await apiStatus(browser)).toBe(403);
    expect(await apiStatus(browser, '/api/v4/projects')).toBe(403);
    const answer = await api.anonymous.get('/user', {
      Cookie: `_service_session=${browser.jar.get('_service_session')}`,
    });
    expect([answer.status, answer.body['message']]).toEqual([
      403,
      expect.stringContaining('must have two-factor authentication'),
    ]);
    for (const path of ['/user', '/projects', '/version'])
      expect((await api.as(token).get(path)).status).toBe(200);
  });

  it('gives no time without a grace period', async () => {
    const { browser } = await someone();
    await demand(true, 0);
    expect((await browser.get('/-/profile')).location).toBe(SET_UP);
    expect(await apiStatus(browser)).toBe(403);
  });

  it('starts the grace period also by use of the API, and not again after a second factor is turned on and off', async () => {
    const { person, browser } = await someone();
    await demand(true);
    expect(await apiStatus(browser)).toBe(200);
    await until(async () => (await startedAt(person)) !== null);
    await startedHoursAgo(person.id, 49);
    await addSecondFactor(api, person.id);
    const fresh = await buildBrowser(api, person.id);
    expect(await apiStatus(fresh)).toBe(200);
    expect((await api.root.send('PATCH', `/users/${person.id}/disable_two_factor`)).status).toBe(204);
    expect(await apiStatus(fresh)).toBe(403);
  });

  it('starts the grace period again for everyone when it is turned on again', async () => {
    const { person, browser } = await someone();
    await demand(true);
    await startedHoursAgo(person.id, 100);
    await demand(true, 24);
    expect(await apiStatus(browser)).toBe(403);
    await demand(false);
    expect(await apiStatus(browser)).toBe(200);
    await demand(true);
    expect(await apiStatus(browser)).toBe(200);
  });

  it('does not affect users with a second factor', async () => {
    const { person } = await someone();
    await addSecondFactor(api, person.id);
    await demand(true, 0);
    const browser = await buildBrowser(api, person.id);
    const page = await browser.get('/-/profile');
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('must use two-factor');
    expect(await startedAt(person)).toBeNull();
  });
});
