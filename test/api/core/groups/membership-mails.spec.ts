import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { TellMemberExpiryProcessor } from '#core/members/expiry/tell-member-expiry.processor.js';
import { DeliverNotificationJob } from '#features/notifications/mails/jobs/deliver-notification.job.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { Notified, type ToldMail } from '../../../support/notified.js';

const CONTEXT = { signal: new AbortController().signal } as JobContext;
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Mails to users about their own memberships (`planning.md` 2.3). */
describe('mails about memberships', () => {
  let api: TestApi;
  let inbox: Notified;
  let project: BuiltProject;
  let people = 0;

  beforeAll(async () => {
    inbox = await Notified.start();
    api = await startApi({ SMTP_URL: inbox.url });
    project = await buildProject(api.root, { name: 'secret' });
  });
  afterAll(async () => {
    await api.close();
    await inbox.close();
  });
  beforeEach(() => inbox.all(api));

  const person = (): Promise<AddedUser> => addUser(api, `member-${(people += 1)}`);
  const said = (mails: readonly (ToldMail | undefined)[]): string[] =>
    mails.map((mail) => {
      const { to = '', content = '' } = mail ?? {};
      const line = /^[^\r\n]*(?:made you|changed your role|Your membership of the project)[^\r\n]*/m.exec(
        content,
      )?.[0];
      return `${to}: ${line ?? content}`;
    });
  const told = async (): Promise<string[]> => said(await inbox.all(api));

  it('report a new membership of a project or group, and a new role', async () => {
    const { id, username } = await person();
    await buildMember(api, `projects/${project.id}`, id, 30, '2999-01-01');
    const [mail] = await inbox.all(api);
    expect(mail?.to).toBe(username);
    expect(mail?.content).toContain(
      'Administrator (@root) made you a member of the project root/secret: Developer, until 2999-01-01.',
    );
    expect(mail?.header('Subject')).toBe('Access to the secret project was granted');
    expect(mail?.header('X-GitLab-Project-Path')).toBe('root/secret');
    expect(mail?.header('List-Unsubscribe')).toBeNull();
    expect(mail?.content).toContain('about your own membership');

    const path = `/projects/${project.id}/members/${id}`;
    await api.root.put(path, { access_level: 40 });
    const [changed] = await inbox.all(api);
    expect(changed?.header('Subject')).toBe('Access to the secret project was changed');
    expect(said([changed])).toEqual([
      `${username}: Administrator (@root) changed your role in the project root/secret. Now: Maintainer, until 2999-01-01.`,
    ]);
    await api.root.put(path, { access_level: 40, expires_at: '2998-01-01' });
    expect(await told()).toEqual([]);

    const group = await buildGroup(api, { visibility: 'private' });
    expect(await told()).toEqual([]);
    await buildMember(api, `groups/${group.id}`, id, 20);
    expect(await told()).toEqual([
      `${username}: Administrator (@root) made you a member of the group ${group.full_path}: Reporter.`,
    ]);
  });

  it('announce once that a membership ends within a week, and again if the date is changed', async () => {
    const { id, username } = await person();
    const later = await person();
    const path = `projects/${project.id}`;
    await buildMember(api, path, id, 30, inDays(7));
    await buildMember(api, path, later.id, 30, inDays(9));
    await inbox.all(api);
    const job = api.app.get(TellMemberExpiryProcessor, { strict: false });
    const line = (day: string): string =>
      `${username}: Your membership of the project root/secret ends within a week: Developer, until ${day}.`;
    await job.process({}, CONTEXT);
    const mails = await inbox.all(api);
    expect(mails.map((mail) => mail.header('Subject'))).toEqual([
      'Your membership of the secret project will expire soon',
    ]);
    expect(said(mails)).toEqual([line(inDays(7))]);
    await job.process({}, CONTEXT);
    expect(await told()).toEqual([]);
    await api.root.put(`/${path}/members/${id}`, { access_level: 30, expires_at: inDays(2) });
    await job.process({}, CONTEXT);
    expect(await told()).toEqual([line(inDays(2))]);
  });

  it('are not sent to users who turned mails off or are no longer members', async () => {
    const [quiet, gone] = [await person(), await person()];
    await api.as(quiet.token).put('/notification_settings', { level: 'disabled' });
    await buildMember(api, `projects/${project.id}`, quiet.id, 30);
    expect(await told()).toEqual([]);
    const event = {
      kind: 'member_added',
      target: { type: 'Project', id: project.id },
      projectId: project.id,
      groupId: null,
      actorId: 1,
      mentionedUserIds: [gone.id],
      membership: { accessLevel: 30, expiresAt: null },
    };
    await api.sql(
      `insert into sent_notifications (unsubscribe_key, event_id, event, user_id, target_type, target_id, project_id)
       values (md5('gone'), 'gone', $1, $2, 'Project', $3, $3)`,
      [event, gone.id, project.id],
    );
    const [row] = await api.sql<{ id: number }>(`select id from sent_notifications where event_id = 'gone'`);
    const deliver = (): Promise<void> =>
      api.app
        .get(Transactions)
        .run((tx) =>
          api.app.get(Jobs).enqueue(tx, DeliverNotificationJob, { sentNotificationId: row?.id ?? 0 }),
        );
    await deliver();
    expect((await inbox.all(api)).map(({ to }) => to)).toEqual([]);
    await buildMember(api, `projects/${project.id}`, gone.id, 30);
    expect((await inbox.all(api)).map(({ to }) => to)).toEqual([gone.username]);
    await deliver();
    expect((await inbox.all(api)).map(({ to }) => to)).toEqual([gone.username]);
  });
});
