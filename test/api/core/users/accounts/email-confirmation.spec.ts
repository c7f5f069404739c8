import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from '../../../../support/api.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { MailFolder } from '../../../../support/mail.js';
import { PageClient, type PageReply } from '../../../../support/page-client.js';
import { until } from '../../../../support/until.js';

interface EmailBody {
  readonly id: number;
  readonly confirmed_at: string | null;
}

const CONFIRM = '/-/profile/emails/confirm';
const ASK_AGAIN = '/users/confirmation/new';

let api: TestApi;
let mails: MailFolder;
let jane: CreatedUser;
const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-confirm-'));
beforeAll(async () => {
  api = await startApi({ DATA_DIR: dataDir });
  mails = new MailFolder(dataDir);
  jane = await createUser(api);
});
afterAll(async () => {
  await api.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const tokenOf = (link: string): string => new URL(link, 'http://x.test').searchParams.get('token') ?? '';
const add = async (who: CreatedUser, email: string): Promise<number> => {
  const { status, body, text } = await who.client.post<EmailBody>('/user/emails', { email });
  if (status !== 201) throw new Error(text);
  return body.id;
};
const isConfirmed = async (who: CreatedUser, id: number): Promise<boolean> =>
  (await who.client.get<EmailBody>(`/user/emails/${id}`)).body.confirmed_at !== null;
const visitor = (): PageClient => new PageClient(api.url);
/** Opens a mailed link and presses the button. */
const confirm = async (link: string): Promise<PageReply> => {
  const browser = visitor();
  await browser.get(ASK_AGAIN);
  return browser.submit(CONFIRM, { token: tokenOf(link) });
};

describe('an additional address', () => {
  it('is confirmed by the button of the page that its mail links to, not by opening the page', async () => {
    const id = await add(jane, 'jane.one@example.com');
    const link = await mails.linkTo('jane.one@example.com');
    expect(link).toMatch(/^\/-\/profile\/emails\/confirm\?token=[\w-]{32}$/);
    const browser = visitor();
    const page = await browser.get(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('jane.one@example.com');
    expect(page.text).toContain(jane.username);
    expect(await isConfirmed(jane, id)).toBe(false);
    const done = await browser.submit(CONFIRM, { token: tokenOf(link) });
    expect([done.status, done.location]).toEqual([303, '/users/sign_in']);
    expect(await isConfirmed(jane, id)).toBe(true);
    expect((await confirm(link)).location).toBe('/users/sign_in');
    expect((await visitor().get(link)).status).toBe(200);
    const audits = await api.sql<{ message: string }>(
      `select details->>'custom_message' as message from audit_events where entity_id = $1 and details->>'target_type' = 'Email'`,
      [jane.id],
    );
    expect(audits.filter(({ message }) => message === 'Confirmed email')).toHaveLength(1);
  });

  it('keeps the token of the link nowhere in a readable form', async () => {
    await add(jane, 'jane.digest@example.com');
    const token = tokenOf(await mails.linkTo('jane.digest@example.com'));
    const [found] = await api.sql<{ text: string }>(
      `select (select string_agg(e::text, '') from email_confirmations e) || coalesce((select string_agg(b::text, '') from background_jobs b), '') as text`,
    );
    expect(found?.text).not.toContain(token);
    const mail = mails.to('jane.digest@example.com')[0] ?? '';
    expect(mail).not.toContain('User ');
    expect(mail).toContain(jane.username);
  });

  it('requires the token of the form', async () => {
    const id = await add(jane, 'jane.csrf@example.com');
    const token = tokenOf(await mails.linkTo('jane.csrf@example.com'));
    expect((await visitor().submit(CONFIRM, { token })).status).toBe(422);
    expect(await isConfirmed(jane, id)).toBe(false);
  });

  it('is not confirmed by the link of another address, nor by one that is unknown or expired', async () => {
    const gone = await add(jane, 'jane.gone@example.com');
    const link = await mails.linkTo('jane.gone@example.com');
    expect((await jane.client.delete(`/user/emails/${gone}`)).status).toBe(204);
    const other = await add(jane, 'jane.other@example.com');
    expect((await confirm(link)).location).toBe(ASK_AGAIN);
    expect((await confirm('/?token=unknown')).location).toBe(ASK_AGAIN);
    expect((await confirm('/?token=')).location).toBe(ASK_AGAIN);
    expect((await visitor().get(`${CONFIRM}?token=unknown`)).location).toBe(ASK_AGAIN);
    const old = await mails.linkTo('jane.other@example.com');
    const [life] = await api.sql<{ hours: number }>(
      `select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from email_confirmations
       where address = 'jane.other@example.com'`,
    );
    expect(life?.hours).toBe(72);
    await api.sql(
      `update email_confirmations set expires_at = now() where address = 'jane.other@example.com'`,
    );
    expect((await visitor().get(old)).location).toBe(ASK_AGAIN);
    expect((await confirm(old)).location).toBe(ASK_AGAIN);
    expect(await isConfirmed(jane, other)).toBe(false);
  });

  it('is not confirmed again by a used link after it was removed and added again', async () => {
    const first = await add(jane, 'jane.twice@example.com');
    const link = await mails.linkTo('jane.twice@example.com');
    await confirm(link);
    expect((await jane.client.delete(`/user/emails/${first}`)).status).toBe(204);
    const second = await add(jane, 'jane.twice@example.com');
    expect((await confirm(link)).location).toBe(ASK_AGAIN);
    expect(await isConfirmed(jane, second)).toBe(false);
  });

  it('belongs to the first of two users who confirm it', async () => {
    const [one, two] = [await createUser(api), await createUser(api)];
    const ids = [await add(one, 'both@example.com'), await add(two, 'Both@example.com')];
    const links = [await mails.linkTo('both@example.com'), await mails.linkTo('both@example.com', 2)];
    await Promise.all(links.map(confirm));
    const states = [await isConfirmed(one, ids[0] ?? 0), await isConfirmed(two, ids[1] ?? 0)];
    expect(states.sort()).toEqual([false, true]);
  });

  it('must be a single text: lists of addresses and tokens are refused', async () => {
    const list = { email: ['jane.list@example.com', 'thief@example.com'] };
    expect((await jane.client.post('/user/emails', list)).status).toBe(400);
    expect((await jane.client.post('/user/emails', { email: 'a@example.com,b@example.com' })).status).toBe(
      400,
    );
    const id = await add(jane, 'jane.array@example.com');
    const token = tokenOf(await mails.linkTo('jane.array@example.com'));
    const browser = visitor();
    await browser.get(ASK_AGAIN);
    expect((await browser.submit(CONFIRM, { 'token[]': token })).status).toBe(400);
    expect(
      (await browser.submit('/users/confirmation', { 'email[]': 'jane.array@example.com' })).status,
    ).toBe(400);
    expect(await isConfirmed(jane, id)).toBe(false);
    expect(mails.to('thief@example.com')).toEqual([]);
  });

  it('gets no mail if an administrator has confirmed it, and one otherwise', async () => {
    const path = `/users/${jane.id}/emails`;
    await api.root.post(path, { email: 'jane.sure@example.com', skip_confirmation: true });
    await api.root.post(path, { email: 'jane.unsure@example.com' });
    await mails.linkTo('jane.unsure@example.com');
    expect(mails.to('jane.sure@example.com')).toEqual([]);
  });

  it('can be as long and unusual as addresses may be', async () => {
    for (const address of [
      `${'x'.repeat(242)}@example.com`,
      "o'neil+tag@münchen.example",
      '-f@example.com',
    ]) {
      await add(jane, address);
      await until(
        async () => (await api.sql(`select 1 from background_jobs where queue = 'mail'`)).length === 0,
      );
    }
    expect(await mails.linkTo('-f@example.com')).toContain(CONFIRM);
    expect(await api.sql(`select 1 from background_jobs where state = 'failed'`)).toEqual([]);
  });

  it('gets at most five mails an hour, whoever requests them', async () => {
    for (let index = 0; index < 6; index += 1) await add(await createUser(api), 'bombed@example.com');
    await add(await createUser(api), 'calm@example.com');
    await mails.linkTo('calm@example.com');
    await until(() => mails.to('bombed@example.com').length === 5);
  });
});

describe('the first address of a new user', () => {
  const newcomer = (email: string): Promise<CreatedUser> =>
    createUser(api, { email, skip_confirmation: false });
  const confirmedAt = async (id: number): Promise<unknown> =>
    (await api.root.get(`/users/${id}`)).body['confirmed_at'];

  it('is confirmed by its mail, or by another one that the user requests', async () => {
    const first = await newcomer('first@example.com');
    expect(await confirmedAt(first.id)).toBeNull();
    await confirm(await mails.linkTo('first@example.com'));
    expect(await confirmedAt(first.id)).not.toBeNull();
    const second = await newcomer('second@example.com');
    await mails.linkTo('second@example.com');
    const browser = visitor();
    await browser.get(ASK_AGAIN);
    const asked = await browser.submit('/users/confirmation', { email: 'SECOND@example.com' });
    expect([asked.status, asked.location]).toEqual([303, '/users/sign_in']);
    const unknown = await browser.submit('/users/confirmation', { email: 'unknown@example.com' });
    expect([unknown.status, unknown.location]).toEqual([303, '/users/sign_in']);
    await confirm(await mails.linkTo('second@example.com', 2));
    expect(await confirmedAt(second.id)).not.toBeNull();
    expect(mails.to('unknown@example.com')).toEqual([]);
    const bad = await browser.submit('/users/confirmation', { email: 'nonsense' });
    expect(bad.status).toBe(422);
    expect(bad.text).toContain('Errors: Confirm your account');
  });

  it('is not confirmed by the mail to a previous address (CVE-2022-4037)', async () => {
    const user = await newcomer('mine@example.com');
    const link = await mails.linkTo('mine@example.com');
    expect((await api.root.put(`/users/${user.id}`, { email: 'victim@example.com' })).status).toBe(200);
    expect((await confirm(link)).location).toBe(ASK_AGAIN);
    expect(await confirmedAt(user.id)).toBeNull();
    await confirm(await mails.linkTo('victim@example.com'));
    expect(await confirmedAt(user.id)).not.toBeNull();
  });

  it('is treated as confirmed otherwise, without a mail', async () => {
    const user = await createUser(api, { email: 'vouched@example.com' });
    expect(await confirmedAt(user.id)).not.toBeNull();
    await newcomer('later@example.com');
    await mails.linkTo('later@example.com');
    expect(mails.to('vouched@example.com')).toEqual([]);
  });
});
