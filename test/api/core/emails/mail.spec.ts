import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#kernel/config/load-config.js';
import { Transactions } from '#kernel/database/transactions.js';
import type { Mail } from '#kernel/mail/mail.js';
import { Mails } from '#kernel/mail/mails.js';
import { JobListing } from '#kernel/queue/console/job-listing.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { decoded, startMailServer, type TestMailServer } from '../../../support/mail.js';
import { makeUnremovable, removeUnremovable } from '../../../support/unremovable.js';
import { until } from '../../../support/until.js';

const LINK = 'https://forgeplane.test/-/profile/emails/confirm?token=very-secret-token-0123456789abcdef';

const mailTo = (to: string, more: Partial<Mail> = {}): Mail => ({
  to,
  subject: 'Grüße & <b>tags</b>',
  text: `Öffne ${LINK}\n`,
  html: `<p><a href="${LINK}">Öffne</a></p>`,
  ...more,
});

const send = (api: TestApi, ...mails: Mail[]): Promise<void> =>
  api.app.get(Transactions).run(async (tx) => {
    for (const mail of mails) await api.app.get(Mails).enqueue(tx, mail);
  });

const waiting = async (api: TestApi): Promise<{ payload: string; error_message: string | null }[]> =>
  api.sql(`select payload::text, error_message from background_jobs where name = 'mail.send' order by id`);

describe('mails as files', () => {
  let api: TestApi;
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-mail-'));
  const folder = join(dataDir, 'mail');
  const files = (): string[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .sort();
  beforeAll(async () => {
    api = await startApi({ DATA_DIR: dataDir, MAIL_FROM: 'Forge Plane <forge@example.com>' });
  });
  afterAll(async () => {
    await api.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('are removed after a month, including partial ones, but other files are kept', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = (days: number): string =>
      `${new Date(Date.now() - days * 86_400_000).toISOString().replaceAll(/[-:.]/g, '')}-000000000001.eml`;
    const kept = [name(29), `.${name(29)}.abcdef`, 'notes.txt'];
    for (const file of [...kept, name(31), `.${name(31)}.abcdef`]) writeFileSync(join(folder, file), '');
    const stuck = join(folder, name(32));
    makeUnremovable(stuck);
    await send(api, mailTo('first@example.com'));
    await until(() => readdirSync(folder).length === kept.length + 2);
    removeUnremovable(stuck);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(kept));
    for (const file of readdirSync(folder)) rmSync(join(folder, file));
  });

  it('contain both forms of the text, and are sent in the order in which they were requested', async () => {
    await send(api, mailTo('one@example.com'));
    await send(api, mailTo('two@example.com', { headers: { 'List-Id': '<things.example.com>' } }));
    await until(() => files().length === 2);
    expect(files().every((name) => /^\d{8}T\d{9}Z-\d{12}\.eml$/.test(name))).toBe(true);
    const [first = '', second = ''] = files().map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(first).toMatch(/^To: one@example\.com\r$/m);
    expect(second).toMatch(/^To: two@example\.com\r$/m);
    expect(second).toMatch(/^List-Id: <things\.example\.com>\r$/im);
    expect(first).toMatch(/^From: Forge Plane <forge@example\.com>\r$/m);
    expect(first).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(first).toMatch(/^Message-ID: <job-\d+\.[0-9a-f]{16}@forgeplane\.test>\r$/m);
    expect(first).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(decoded(first)).toContain(`Öffne ${LINK}`);
    expect(decoded(first)).toContain(`<a href="${LINK}">`);
    for (const name of files()) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  });

  it('are not sent if the transaction is rolled back', async () => {
    const before = files().length;
    const rolledBack = api.app.get(Transactions).run(async (tx) => {
      await api.app.get(Mails).enqueue(tx, mailTo('nobody@example.com'));
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await send(api, mailTo('after@example.com'));
    await until(() => files().length === before + 1);
    expect(readFileSync(join(folder, files().at(-1) ?? ''), 'utf8')).toContain('after@example.com');
  });

  it.each<[string, Partial<Mail>]>([
    ['a second recipient', { to: 'a@example.com, b@example.com' }],
    ['a line break in the address', { to: 'a@example.com\r\nBcc: b@example.com' }],
    ['an SMTP command in the address', { to: 'a@example.com>\r\nRCPT TO:<b@example.com' }],
    ['a display name', { to: 'B <b@example.com>' }],
    ['several addresses', { to: ['a@example.com', 'b@example.com'] as unknown as string }],
    ['a line break in the subject', { subject: 'x\nBcc: b@example.com' }],
    ['another line break in the subject', { subject: 'x\u2028y' }],
    ['a line break in a header', { headers: { 'List-Id': 'x\r\nBcc: b@example.com' } }],
    ['a line break in the name of a header', { headers: { 'X\r\nBcc': 'b@example.com' } }],
    ['another recipient as a header', { headers: { bcc: 'b@example.com' } }],
    ['another sender as a header', { headers: { Sender: 'b@example.com' } }],
  ])('refuse %s', async (_what, change) => {
    await expect(send(api, mailTo('a@example.com', change))).rejects.toThrow(/of a mail/);
    expect(await waiting(api)).toEqual([]);
  });
});

describe('mails by SMTP', () => {
  let api: TestApi;
  let server: TestMailServer;
  beforeAll(async () => {
    server = await startMailServer();
    api = await startApi({ SMTP_URL: `smtp://user:pass-of-mail@127.0.0.1:${server.port}` });
  });
  afterEach(() => server.behave({}));
  afterAll(async () => {
    await api.close();
    await server.close();
  });

  it('are sent once, with sender and recipient in the envelope', async () => {
    await send(api, mailTo('one@example.com'));
    await until(() => server.mails.length === 1);
    expect(server.mails[0]).toMatchObject({ from: 'forgeplane@localhost', to: ['one@example.com'] });
    expect(decoded(server.mails[0]?.content ?? '')).toContain(LINK);
    await until(async () => (await waiting(api)).length === 0);
  });

  it('are retried with the same Message-ID, and contain nothing readable in the meantime', async () => {
    server.behave({ refuseOnce: 451, loseAnswerOnce: true });
    const before = server.mails.length;
    await send(api, mailTo('again@example.com'));
    await until(async () => (await waiting(api)).some(({ error_message: error }) => error !== null));
    const [job] = await waiting(api);
    expect(job?.error_message).toBe('The mail server rejected the mail: EENVELOPE, answer 451');
    expect(job?.payload).not.toMatch(/secret-token|again@example|Grü/);
    await api.sql(`update background_jobs set run_at = now() where name = 'mail.send'`);
    await until(() => server.mails.length === before + 1);
    await until(async () => (await waiting(api))[0]?.error_message?.includes('no answer') ?? false);
    await api.sql(`update background_jobs set run_at = now() where name = 'mail.send'`);
    await until(() => server.mails.length === before + 2, 20_000);
    const [first, second] = server.mails.slice(before).map(({ content }) => content);
    expect(second).toBe(first);
    await until(async () => (await waiting(api)).length === 0);
  });

  it.each([
    ['sender', { refuseSenderOnce: 550 }, 550],
    ['recipient of somebody who has not signed in', { refuseOnce: 530 }, 530],
  ])(
    'are retried if the server rejects the %s, which is a matter of the configuration',
    async (_whom, behaviour, code) => {
      server.behave(behaviour);
      const before = server.mails.length;
      await send(api, mailTo('later@example.com'));
      await until(async () => (await waiting(api)).some(({ error_message: error }) => error !== null));
      const text = `The mail server rejected the mail: EENVELOPE, answer ${code}`;
      expect((await waiting(api)).map(({ error_message: error }) => error)).toEqual([text]);
      await api.sql(`update background_jobs set run_at = now() where name = 'mail.send'`);
      await until(() => server.mails.length === before + 1);
      await until(async () => (await waiting(api)).length === 0);
    },
  );

  it('are given up immediately for recipients that the server rejects permanently, without naming them', async () => {
    server.behave({ unknown: 'gone@example.com' });
    await send(api, mailTo('gone@example.com'));
    await until(async () => (await api.app.get(JobListing).list({ standing: 'failed' }, 1)).length === 1);
    const [failed] = await api.app.get(JobListing).list({ standing: 'failed' }, 1);
    expect(failed).toMatchObject({ name: 'mail.send', attempt: 1 });
    expect(failed?.error).toBe('PermanentFailure: The mail server rejected the mail: EENVELOPE, answer 550');
  });
});

describe('the configuration of mails', () => {
  it.each([
    ['SMTP_URL', 'http://mail.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://a b'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'Acme, Inc <a@example.com>'],
    ['MAIL_FROM', 'A <a@example.com>\nBcc: b@example.com'],
  ])('refuses %s=%j', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(name);
  });

  it.each([
    ['SMTP_URL', 'smtps://user:p%40ss@mail.example.com:465'],
    ['SMTP_URL', 'smtp://mail.example.com?requireTLS=true'],
    ['SMTP_URL', 'smtp://[::1]:2525/'],
    ['MAIL_FROM', 'forge@example.com'],
    ['MAIL_FROM', 'Forge Plane <forge@example.com>'],
  ])('accepts %s=%j', (name, value) => {
    expect(loadConfig({ [name]: value })).toMatchObject({ [name]: value });
  });
});
