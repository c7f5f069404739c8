import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailTransport } from '#kernel/mail/mail-transport.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { Notified } from '../../../support/notified.js';
import { until } from '../../../support/until.js';

const READERS = 7;
/** Mails that a process sends at a time. */
const CONNECTIONS = 3;

describe('mails by a slow mail server', () => {
  let api: TestApi;
  let inbox: Notified;
  const readers: AddedUser[] = [];

  beforeAll(async () => {
    inbox = await Notified.start();
    api = await startApi({ SMTP_URL: inbox.url });
    for (let index = 0; index < READERS; index += 1) readers.push(await addUser(api, `slow-${index}`));
  });
  afterAll(async () => {
    await api.close();
    await inbox.close();
  });

  it('are sent only to those who may read when their turn comes', async () => {
    const project = await buildProject(api.root);
    for (const { id } of readers) await buildMember(api, `projects/${project.id}`, id, 20);
    await inbox.mails(api);
    const { server } = inbox;
    server.asked.length = 0;
    let release = (): void => undefined;
    server.behave({ hold: new Promise((resolve) => (release = resolve)) });
    await buildIssue(api.root, project.id, { assignee_ids: readers.map(({ id }) => id) });
    const running = `select 1 from background_jobs where name = 'notifications.deliver' and state = 'running'`;
    await until(
      async () => server.asked.length === CONNECTIONS && (await api.sql(running)).length === READERS,
    );
    const begun = server.asked.map((address) => address.replace('@example.com', ''));
    for (const { id, username } of readers)
      if (!begun.includes(username)) await api.root.delete(`/projects/${project.id}/members/${id}`);
    release();
    expect(await inbox.readers(api)).toEqual(begun.sort());
  });

  it('are not sent by an attempt that has ended, which another one repeats', async () => {
    const { server } = inbox;
    server.asked.length = 0;
    let release = (): void => undefined;
    server.behave({ hold: new Promise((resolve) => (release = resolve)) });
    const transport = api.app.get(MailTransport);
    const end = new AbortController();
    const mail = {
      from: 'forge@example.com',
      to: 'one@example.com',
      content: Buffer.from('Subject: x\r\n\r\n'),
      fileName: '',
    };
    const attempts = Array.from({ length: CONNECTIONS + 2 }, () =>
      transport
        .send(() => Promise.resolve(mail), end.signal)
        .then(
          () => 'sent',
          () => 'ended',
        ),
    );
    await until(() => server.asked.length === CONNECTIONS);
    end.abort();
    release();
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['ended']));
    const last = { ...mail, to: 'last@example.com' };
    expect(await transport.send(() => Promise.resolve(last), new AbortController().signal)).toBe(true);
    expect(server.mails.splice(0).map(({ to }) => to)).toEqual([['last@example.com']]);
  });
});
