import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Transactions } from '#kernel/database/transactions.js';
import { Mails } from '#kernel/mail/mails.js';
import { startApi, type TestApi } from '../support/api.js';
import { startMailServer, type Misbehaviour, type TestMailServer } from '../support/mail.js';
import { until } from '../support/until.js';

/** RFC 5321 4.5.3.2 lets a server take minutes for an answer; many take half of one: filters, grey lists, tarpits. */
const ANSWER_MS = 35_000;

// A client that gives up sooner loses the mail, or sends it again and again: the server may have accepted it.
describe('a mail server that takes its time', () => {
  let api: TestApi;
  let server: TestMailServer;
  beforeAll(async () => {
    server = await startMailServer();
    api = await startApi({ SMTP_URL: `smtp://user:pass-of-mail@127.0.0.1:${server.port}` });
  });
  afterAll(async () => {
    await api.close();
    await server.close();
  });

  it.each<[string, (answer: Promise<void>) => Misbehaviour]>([
    ['before it accepts a recipient', (hold) => ({ hold })],
    ['before it confirms a mail', (holdConfirmation) => ({ holdConfirmation })],
  ])('gets one copy, whether it waits %s or not', async (_when, behaviour) => {
    server.behave(behaviour(sleep(ANSWER_MS)));
    const before = { asked: server.asked.length, mails: server.mails.length };
    const mail = { to: 'slow@example.com', subject: 'Slow', text: 'Slow', html: '<p>Slow</p>' };
    await api.app.get(Transactions).run((tx) => api.app.get(Mails).enqueue(tx, mail));
    const left = async (): Promise<readonly { error_message: string | null }[]> =>
      api.sql(`select error_message from background_jobs where name = 'mail.send'`);
    await until(
      async () => (await left()).every(({ error_message: error }) => error !== null),
      2 * ANSWER_MS,
    );
    expect(await left()).toEqual([]);
    expect(server.asked.length - before.asked).toBe(1);
    expect(server.mails.length - before.mails).toBe(1);
  });
});
