import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '#kernel/config/config.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { addPerson, PASSWORD, type Person } from '../../../support/builders/person.js';
import { buildBrowser } from '../../../support/builders/session.js';
import {
  addSecondFactor,
  atSecondStep,
  codeOf,
  forgetSteps,
  giveCode,
  outcome,
  OUTCOMES,
} from '../../../support/builders/second-factor.js';
import { MailFolder } from '../../../support/mail.js';
import type { PageClient, PageReply } from '../../../support/page-client.js';
import { until } from '../../../support/until.js';

const PATH = '/-/profile/two_factor_auth';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  // One address represents many users here; the rate limit has its own tests.
  await api.root.put('/application/settings', { throttle_protected_paths_enabled: false });
});
afterAll(() => api.close());

/** Values on the setup page: the key, and the same sealed in its form. */
interface Shown {
  readonly secret: string;
  readonly sealed: string;
}

const shownOn = ({ text }: PageReply): Shown => ({
  secret: (/id="two-factor-key">([^<]+)</.exec(text)?.[1] ?? '').replaceAll(' ', ''),
  sealed: /name="sealed_secret" value="([^"]+)"/.exec(text)?.[1] ?? '',
});
const codesOn = ({ text }: PageReply): string[] => text.match(/\d{4}(-\d{4}){5}/g) ?? [];
const turnOn = (browser: PageClient, { sealed }: Shown, code: string): Promise<PageReply> =>
  browser.submit(PATH, { sealed_secret: sealed, code, current_password: PASSWORD });
const isOn = async (id: number): Promise<boolean> => {
  const text = 'select two_factor_enabled as is_on from users where id = $1';
  const [row] = await api.sql<{ is_on: boolean }>(text, [id]);
  return row?.is_on === true;
};
const audited = async (id: number): Promise<string[]> => {
  const text = `select details->>'custom_message' as message from audit_events
    where entity_type = 'User' and entity_id = $1 and details->>'custom_message' is not null order by id`;
  return (await api.sql<{ message: string }>(text, [id])).map(({ message }) => message);
};

const mailsTo = ({ username }: Person): string[] =>
  new MailFolder(api.app.get(Config).DATA_DIR)
    .to(`${username}@example.com`)
    .filter((mail) =>
      /Subject: (Your two-factor authentication has been changed|Two-factor .* disabled)/.test(mail),
    );

let count = 0;
const anybody = async (): Promise<{ person: Person; browser: PageClient }> => {
  const person = await addPerson(api, `person-${(count += 1)}`);
  return { person, browser: await buildBrowser(api, person.id) };
};

describe('setting up a second factor', () => {
  it('shows a key of 160 bits as text and QR code, fresh each time, and keeps it out of caches', async () => {
    const { browser } = await anybody();
    const [one, two] = [await browser.get(PATH), await browser.get(PATH)];
    expect(one.status).toBe(200);
    expect(shownOn(one).secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(shownOn(one).secret).not.toBe(shownOn(two).secret);
    expect(one.text).toMatch(/<svg[^>]* role="img"[^>]* aria-label="QR code/);
    expect(one.text).toContain('autocomplete="one-time-code"');
    expect(one.headers.get('cache-control')).toBe('no-store');
    expect(shownOn(one).sealed).not.toContain(shownOn(one).secret);
  });

  it('accepts a code of the shown key, shows ten recovery codes once and stores digests', async () => {
    const { person, browser } = await anybody();
    const other = await buildBrowser(api, person.id);
    const shown = shownOn(await browser.get(PATH));
    // Another tab, opened later, does not replace the key of this one.
    await browser.get(PATH);
    const done = await turnOn(browser, shown, codeOf(shown.secret));
    expect(done.status).toBe(200);
    const codes = codesOn(done);
    expect(new Set(codes).size).toBe(10);
    expect(done.headers.get('cache-control')).toBe('no-store');
    expect(await isOn(person.id)).toBe(true);
    expect(await audited(person.id)).toContain('Enabled two-factor authentication');
    const [stored] = await api.sql<{ text: string }>(
      `select (select string_agg(f::text, '') from user_two_factors f)
        || (select string_agg(c::text, '') from two_factor_recovery_codes c) as text`,
    );
    for (const secret of [shown.secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(stored?.text).not.toContain(secret);
    const later = await browser.get(PATH);
    expect(codesOn(later)).toEqual([]);
    expect(later.text).not.toContain(shown.secret);
    expect(later.text).toContain('10 recovery codes are left');
    // A user who signed in elsewhere did so without the second factor.
    expect((await other.get(PATH)).location).toBe('/users/sign_in');
  });

  it('uses up the code that proves the authenticator', async () => {
    const { person, browser } = await anybody();
    const shown = shownOn(await browser.get(PATH));
    const code = codeOf(shown.secret);
    expect((await turnOn(browser, shown, code)).status).toBe(200);
    expect(await outcome(giveCode(await atSecondStep(api, person), code))).toEqual(OUTCOMES.wrong);
    await forgetSteps(api, person.id);
    expect(await outcome(giveCode(await atSecondStep(api, person), code))).toEqual(OUTCOMES.done);
  });

  it('refuses wrong codes, and keeps the key for another attempt', async () => {
    const { person, browser } = await anybody();
    const shown = shownOn(await browser.get(PATH));
    for (const code of [
      '',
      '000000',
      codeOf(shown.secret, -5),
      codeOf(shown.secret, 5),
      'abc',
      '1'.repeat(99),
    ]) {
      const refused = await turnOn(browser, shown, code);
      expect([refused.status, shownOn(refused)]).toEqual([422, shown]);
      expect(refused.text).toContain('Invalid two-factor code.');
      expect(refused.text).toMatch(/<title>Errors: /);
    }
    expect(await isOn(person.id)).toBe(false);
    expect((await turnOn(browser, shown, ` ${codeOf(shown.secret).replace(/^.../, '$& ')}`)).status).toBe(
      200,
    );
  });

  it('requires the password, so that a stranger at a signed-in browser cannot lock its owner out', async () => {
    const { person, browser } = await anybody();
    const shown = shownOn(await browser.get(PATH));
    const fields = { sealed_secret: shown.sealed, code: codeOf(shown.secret) };
    for (const password of [{}, { current_password: '' }, { current_password: 'wrong' }] as Record<
      string,
      string
    >[]) {
      const refused = await browser.submit(PATH, { ...fields, ...password });
      expect([refused.status, shownOn(refused)]).toEqual([422, shown]);
      expect(refused.text).toContain('Invalid password.');
    }
    expect(await isOn(person.id)).toBe(false);
    expect((await turnOn(browser, shown, fields.code)).status).toBe(200);
  });

  it('accepts only a key that it sealed for this user in this session', async () => {
    const [victim, stranger] = [await anybody(), await anybody()];
    const shown = shownOn(await stranger.browser.get(PATH));
    const again = shownOn(await (await buildBrowser(api, victim.person.id)).get(PATH));
    await victim.browser.get(PATH);
    const changed = { ...again, sealed: again.sealed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) };
    for (const foreign of [
      shown,
      again,
      changed,
      { ...shown, sealed: '' },
      { ...shown, sealed: 'x'.repeat(999) },
    ]) {
      const refused = await turnOn(victim.browser, foreign, codeOf(foreign.secret));
      expect(refused.status).toBe(422);
      expect(shownOn(refused).secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(shownOn(refused).secret).not.toBe(foreign.secret);
    }
    expect(await isOn(victim.person.id)).toBe(false);
  });

  it('answers invalid forms with 400 and changes nothing', async () => {
    const { person, browser } = await anybody();
    const { sealed } = shownOn(await browser.get(PATH));
    for (const fields of [
      { 'sealed_secret[]': sealed, code: '1' },
      { sealed_secret: sealed, 'code[a]': '1' },
      { sealed_secret: 'x'.repeat(5000), code: '1' },
      { sealed_secret: sealed, code: '1'.repeat(5000) },
      { sealed_secret: sealed, code: '1\0' },
    ] as Record<string, string>[])
      expect((await browser.submit(PATH, fields)).status).toBe(400);
    expect(await isOn(person.id)).toBe(false);
  });

  it('happens once, even if the form is sent twice at the same moment', async () => {
    const { person, browser } = await anybody();
    const shown = shownOn(await browser.get(PATH));
    const code = codeOf(shown.secret);
    const replies = await Promise.all([1, 2, 3].map(() => turnOn(browser, shown, code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 303, 303]);
    const rows = await api.sql('select id from two_factor_recovery_codes where user_id = $1', [person.id]);
    expect(rows).toHaveLength(10);
  });

  it('requires a session and the token of the form', async () => {
    const { person, browser } = await anybody();
    const shown = shownOn(await browser.get(PATH));
    const code = codeOf(shown.secret);
    const fields = { sealed_secret: shown.sealed, code, current_password: PASSWORD };
    expect((await browser.submit(PATH, { ...fields, authenticity_token: 'wrong' })).status).toBe(422);
    browser.jar.clear();
    expect((await browser.get(PATH)).location).toBe('/users/sign_in');
    expect(await isOn(person.id)).toBe(false);
  });
});

describe('a second factor', () => {
  it('can be turned off only with the password', async () => {
    const { person } = await anybody();
    await addSecondFactor(api, person.id);
    const browser = await buildBrowser(api, person.id);
    await browser.get(PATH);
    for (const fields of [{}, { current_password: '' }, { current_password: 'wrong' }] as Record<
      string,
      string
    >[]) {
      const refused = await browser.submit(PATH, { _method: 'delete', ...fields });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('Invalid password.');
    }
    expect(await isOn(person.id)).toBe(true);
    const off = await browser.submit(PATH, { _method: 'delete', current_password: PASSWORD });
    expect([off.status, off.location]).toEqual([303, PATH]);
    expect((await browser.get(PATH)).text).toContain('Two-factor authentication is off.');
    expect(await isOn(person.id)).toBe(false);
    expect(await audited(person.id)).toContain('Disabled two-factor authentication');
    // Turned on, then off: the owner is notified, whoever did it.
    await until(() => mailsTo(person).length === 2);
    expect(await api.sql('select 1 from two_factor_recovery_codes where user_id = $1', [person.id])).toEqual(
      [],
    );
    // The second time there is nothing to turn off.
    expect((await browser.submit(PATH, { _method: 'delete', current_password: PASSWORD })).status).toBe(303);
  });

  it('gets new recovery codes only with the password, and they replace the old ones', async () => {
    const { person } = await anybody();
    const { recoveryCodes } = await addSecondFactor(api, person.id);
    const browser = await buildBrowser(api, person.id);
    await browser.get(PATH);
    const refused = await browser.submit(`${PATH}/codes`, { password: 'wrong' });
    expect([refused.status, codesOn(refused)]).toEqual([422, []]);
    const renewed = codesOn(await browser.submit(`${PATH}/codes`, { password: PASSWORD }));
    expect(renewed).toHaveLength(10);
    expect(renewed.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    const rows = await api.sql('select id from two_factor_recovery_codes where user_id = $1', [person.id]);
    expect(rows).toHaveLength(10);
  });

  it('locks the account after wrong passwords', async () => {
    const { person } = await anybody();
    await addSecondFactor(api, person.id);
    const browser = await buildBrowser(api, person.id);
    await browser.get(PATH);
    for (let tries = 0; tries < 10; tries += 1)
      expect(
        (await browser.submit(PATH, { _method: 'delete', current_password: `guess ${tries}` })).status,
      ).toBe(422);
    expect((await browser.submit(PATH, { _method: 'delete', current_password: PASSWORD })).status).toBe(422);
    expect(await isOn(person.id)).toBe(true);
  });
});

describe('administrators', () => {
  const disable = (
    client: TestApi['root'],
    id: number | string,
  ): Promise<{ status: number; body: unknown }> => client.send('PATCH', `/users/${id}/disable_two_factor`);

  it('can turn off a second factor for others, but not for themselves', async () => {
    const { person } = await anybody();
    await addSecondFactor(api, person.id);
    expect((await disable(api.root, person.id)).status).toBe(204);
    expect(await isOn(person.id)).toBe(false);
    const again = await disable(api.root, person.id);
    expect([again.status, again.body]).toEqual([
      400,
      { message: '400 Bad request - Two-factor authentication is not enabled for this user' },
    ]);
    expect((await disable(api.root, 1)).status).toBe(403);
    expect((await disable(api.root, 987_654)).status).toBe(404);
    expect((await disable(api.anonymous, person.id)).status).toBe(401);
  });

  it('see which users have a second factor', async () => {
    const { person } = await anybody();
    await addSecondFactor(api, person.id);
    const { body } = await api.root.get<{ two_factor_enabled: boolean }>(`/users/${person.id}`);
    expect(body.two_factor_enabled).toBe(true);
    const list = await api.root.get<{ id: number }[]>('/users?two_factor=enabled');
    expect(list.body.map(({ id }) => id)).toContain(person.id);
  });
});
