import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildBrowser } from '../../../support/builders/session.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { MailFolder } from '../../../support/mail.js';
import { PageClient, type PageReply } from '../../../support/page-client.js';
import { until } from '../../../support/until.js';

const PROFILE = '/-/profile';
const EMAILS = '/-/profile/emails';
const PASSWORD = 'Nightingale-Ladder-4711';

let api: TestApi;
let mails: MailFolder;
let jane: CreatedUser;
let browser: PageClient;
const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-profile-'));
beforeAll(async () => {
  api = await startApi({ DATA_DIR: dataDir });
  mails = new MailFolder(dataDir);
  jane = await createUser(api, { password: PASSWORD, force_random_password: undefined });
  await api.sql('update users set password_expires_at = null where id = $1', [jane.id]);
  browser = await buildBrowser(api, jane.id);
});
afterAll(async () => {
  await api.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const stored = async (): Promise<Record<string, unknown>> => (await api.root.get(`/users/${jane.id}`)).body;
const save = async (fields: Record<string, string>): Promise<PageReply> => {
  await browser.get(PROFILE);
  return browser.submit(PROFILE, { _method: 'put', ...fields });
};

describe('the pages of the profile', () => {
  it('are only for users who have signed in, by their session only', async () => {
    for (const path of [PROFILE, EMAILS, `${EMAILS}/1/remove`, `${EMAILS}/1/primary`]) {
      const reply = await new PageClient(api.url).get(path);
      expect([reply.status, reply.location]).toEqual([302, '/users/sign_in']);
    }
    expect((await api.root.get(PROFILE)).status).toBe(302);
    const stranger = new PageClient(api.url);
    expect((await stranger.submit(EMAILS, { email: 'x@example.com' })).location).toBe('/users/sign_in');
  });

  it('say that a form was sent in vain after the session had ended, and lead back to it', async () => {
    const late = await buildBrowser(api, jane.id);
    await late.get(PROFILE);
    await api.sql('delete from sessions where user_id = $1', [jane.id]);
    const ours = { 'Sec-Fetch-Site': 'same-origin', Referer: `${api.url}${PROFILE}` };
    const sent = await late.submit(PROFILE, { _method: 'put', name: 'Too Late' }, ours);
    expect([sent.status, sent.location]).toEqual([302, '/users/sign_in']);
    expect(sent.cookies.join()).toContain(`_service_return_to=${encodeURIComponent(PROFILE)}`);
    expect((await late.get('/users/sign_in')).text).toContain('what you sent was not saved');
    expect((await late.get('/users/sign_in')).text).not.toContain('what you sent was not saved');
    for (const more of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Referer: 'https://evil.example/-/profile' },
      {},
    ]) {
      const stranger = new PageClient(api.url);
      const { cookies } = await stranger.submit(EMAILS, { email: 'x@example.com' }, { ...ours, ...more });
      expect(cookies.some((line) => line.startsWith('_service_return_to='))).toBe(
        !('Sec-Fetch-Site' in more) && !('Referer' in more),
      );
    }
    const single = await new PageClient(api.url).submit(
      `${EMAILS}/1`,
      { _method: 'delete' },
      { ...ours, Referer: `${api.url}${EMAILS}/1` },
    );
    expect(single.cookies.join()).not.toContain('_service_return_to');
    browser = await buildBrowser(api, jane.id);
  });

  it('require the token of the form', async () => {
    const reply = await browser.submit(PROFILE, { _method: 'put', name: 'Eve', authenticity_token: 'x' });
    expect(reply.status).toBe(422);
    expect((await stored())['name']).not.toBe('Eve');
  });

  it('save the entered values', async () => {
    const fields = {
      name: 'Jane <script>alert(1)</script>',
      pronouns: 'she/her',
      bio: 'Line one\nline "two"',
      location: 'Bern',
      organization: 'Acme',
      job_title: 'Smith',
      website_url: 'https://jane.example.com',
      discord: '12345678901234567',
    };
    const reply = await save({
      ...fields,
      private_profile: 'true',
      public_email: `${jane.username}@example.com`,
    });
    expect([reply.status, reply.location]).toEqual([303, PROFILE]);
    expect(await stored()).toMatchObject({ ...fields, private_profile: true });
    const page = await browser.get(PROFILE);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Your changes have been saved.');
    expect(page.text).toContain('Jane &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.text).not.toContain('<script>alert');
    expect((await save({ location: '' })).status).toBe(303);
    expect(await stored()).toMatchObject({ location: '', organization: 'Acme' });
  });

  it('change nothing that users may not change themselves', async () => {
    const before = await stored();
    const forged = {
      admin: 'true',
      username: 'other',
      email: 'other@example.com',
      projects_limit: '7',
      note: 'n',
      id: '1',
      password: 'Other-Password-1',
      skip_reconfirmation: 'true',
      extern_uid: 'x',
      provider: 'saml',
      location: 'Basel',
    };
    expect((await save(forged)).status).toBe(303);
    expect(await stored()).toEqual({ ...before, location: 'Basel' });
    expect((await api.root.get('/users/1')).body['location']).toBe('');
  });

  it.each([
    [{ name: '' }, 'Name is empty'],
    [{ name: 'x'.repeat(256) }, 'Name is too long (maximum is 255 characters)'],
    [{ website_url: 'javascript:alert(1)' }, 'Website must be a valid URL'],
    [{ discord: 'me' }, 'Discord must contain only a discord user ID.'],
    [{ public_email: 'somebody@example.com' }, 'Public email is not an email you own'],
    [{ commit_email: 'somebody@example.com' }, 'Commit email is not an email you own'],
  ])('show the errors of %j', async (fields, text) => {
    const reply = await save({ location: 'Kept while wrong', ...fields });
    expect([reply.status, reply.text.includes(text)]).toEqual([422, true]);
    const name = Object.keys(fields)[0];
    expect(reply.text).toMatch(new RegExp(`id="f-${name}"[^>]*f-${name}-error"[^>]*aria-invalid="true"`));
    expect(reply.text).toContain('<title>Errors: Profile - Forgeplane</title>');
    expect(reply.text).toContain('Kept while wrong');
    expect((await stored())['location']).not.toBe('Kept while wrong');
  });
});

describe('the page of e-mail addresses', () => {
  const add = async (email: string): Promise<number> => {
    await browser.get(EMAILS);
    const reply = await browser.submit(EMAILS, { email });
    expect([reply.status, reply.location]).toEqual([303, EMAILS]);
    const [row] = await api.sql<{ id: number }>('select id from user_emails where email = $1', [email]);
    return row?.id ?? 0;
  };
  const confirm = async (email: string): Promise<void> => {
    const token = new URL(await mails.linkTo(email), api.url).searchParams.get('token') ?? '';
    expect((await browser.submit(`${EMAILS}/confirm`, { token })).location).toBe(EMAILS);
  };
  const makePrimary = (id: number, password: string): Promise<PageReply> =>
    browser.submit(`${EMAILS}/${id}/primary`, { _method: 'put', current_password: password });

  it('adds an address, mails its link again, and removes it after confirmation', async () => {
    const id = await add('page.one@example.com');
    await mails.linkTo('page.one@example.com');
    expect((await browser.get(EMAILS)).text).toContain('Not confirmed');
    expect((await browser.submit(`${EMAILS}/${id}/confirmation`)).location).toBe(EMAILS);
    await mails.linkTo('page.one@example.com', 2);
    const question = await browser.get(`${EMAILS}/${id}/remove`);
    expect(question.text).toContain('Remove page.one@example.com');
    const gone = await browser.submit(`${EMAILS}/${id}`, { _method: 'delete' });
    expect([gone.status, gone.location]).toEqual([303, EMAILS]);
    expect((await browser.get(EMAILS)).text).not.toContain('page.one@example.com');
  });

  it('reports too many requested mails', async () => {
    const id = await add('page.many@example.com');
    const replies = [];
    for (let index = 0; index < 5; index += 1)
      replies.push(await browser.submit(`${EMAILS}/${id}/confirmation`));
    const flashes = replies.map(({ cookies }) => /_service_flash=(\w+)/.exec(cookies.join())?.[1]);
    expect(flashes).toEqual([...Array.from({ length: 4 }, () => 'email_sent_again'), 'email_limit']);
  });

  it('shows the errors of an address', async () => {
    for (const [email, text] of [
      ['nonsense', 'E-mail address is invalid'],
      ['', 'E-mail address is empty'],
      ['admin@example.com', 'E-mail address has already been taken'],
    ] as const) {
      await browser.get(EMAILS);
      const reply = await browser.submit(EMAILS, { email });
      expect([reply.status, reply.text.includes(text)]).toEqual([422, true]);
    }
  });

  it('hides the addresses of others', async () => {
    const other = await createUser(api);
    const { body } = await other.client.post<{ id: number }>('/user/emails', { email: 'others@example.com' });
    const paths = [`${EMAILS}/${body.id}/remove`, `${EMAILS}/${body.id}/primary`];
    for (const path of paths) expect((await browser.get(path)).status).toBe(404);
    expect((await browser.submit(`${EMAILS}/${body.id}`, { _method: 'delete' })).status).toBe(404);
    expect((await browser.submit(`${EMAILS}/${body.id}/confirmation`)).status).toBe(404);
    expect((await makePrimary(body.id, PASSWORD)).status).toBe(404);
    expect(await other.client.get('/user/emails')).toMatchObject({ body: [{ id: body.id }] });
  });

  it('limits guessing the password for making an address the primary one', async () => {
    const settings = {
      throttle_protected_paths_requests_per_period: 5,
      throttle_protected_paths_period_in_seconds: 600,
    };
    await api.root.put('/application/settings', settings);
    const id = await add('page.guessed@example.com');
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await makePrimary(id, 'guess')).status);
    expect(statuses.at(-1)).toBe(429);
    // Each counts once; an earlier test has used one of the five.
    expect(statuses.filter((status) => status === 422).length).toBeGreaterThanOrEqual(4);
    await api.root.put('/application/settings', { throttle_protected_paths_enabled: false });
  });

  it('makes a confirmed address the primary one, with the password', async () => {
    const former = `${jane.username}@example.com`;
    const id = await add('page.next@example.com');
    expect((await makePrimary(id, PASSWORD)).text).toContain('E-mail address must be confirmed first');
    await confirm('page.next@example.com');
    expect((await browser.get(`${EMAILS}/${id}/primary`)).text).toContain('current-password');
    const wrong = await makePrimary(id, 'not the password');
    expect([wrong.status, wrong.text.includes('Current password is incorrect')]).toEqual([422, true]);
    expect((await stored())['email']).toBe(former);
    expect((await makePrimary(id, PASSWORD)).location).toBe(EMAILS);
    expect(await stored()).toMatchObject({ email: 'page.next@example.com', public_email: former });
    await until(() => mails.to(former).some((mail) => mail.includes('primary address has been changed')));
    const { body } = await jane.client.get<{ email: string; confirmed_at: string | null }[]>('/user/emails');
    const kept = body.find(({ email }) => email === former);
    expect(kept?.confirmed_at).toEqual(expect.any(String));
    const [audit] = await api.sql<{ details: Record<string, unknown> }>(
      `select details from audit_events where details->>'change' = 'email address' order by id desc limit 1`,
    );
    expect(audit?.details).toMatchObject({ from: former, to: 'page.next@example.com' });
  });
});
