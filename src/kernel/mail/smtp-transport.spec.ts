import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMailServer, type TestMailServer } from '../../../test/support/mail.js';
import { SmtpTransport } from './smtp-transport.js';

const MAILS = Array.from({ length: 18 }, (_, index) => `reader-${index}@example.com`);
const CONFIRMED_MS = 500;
/** For one mail, not for the six that go over a connection one after the other. */
const LIMIT_MS = 5 * CONFIRMED_MS;

let server: TestMailServer;
let transport: SmtpTransport;
beforeAll(async () => {
  server = await startMailServer();
  transport = new SmtpTransport(`smtp://user:pass@127.0.0.1:${server.port}`, LIMIT_MS);
});
afterAll(async () => {
  transport.close();
  await server.close();
});

const send = (to: string): Promise<boolean> => {
  const content = Buffer.from(`Subject: Slow\r\n\r\n${to}\r\n`);
  const mail = { from: 'forge@example.com', to, content, fileName: `${to}.eml` };
  return transport.send(() => Promise.resolve(mail), new AbortController().signal);
};

it('waits for a connection without counting that in the time of a mail', async () => {
  server.behave({ confirmAfter: () => sleep(CONFIRMED_MS) });
  expect(await Promise.all(MAILS.map(send))).toEqual(MAILS.map(() => true));
  expect(server.mails.map(({ to }) => to[0]).toSorted()).toEqual(MAILS.toSorted());
});

it('gives up a mail that the server does not confirm in time', async () => {
  server.behave({ confirmAfter: () => sleep(10 * LIMIT_MS) });
  await expect(send('nobody@example.com')).rejects.toThrow('EABORT');
});
