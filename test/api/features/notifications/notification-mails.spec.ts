import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import type { JobDefinition, JsonObject } from '#kernel/queue/job-definition.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { DeliverNotificationJob } from '#features/notifications/mails/jobs/deliver-notification.job.js';
import { NotifyDueIssuesJob } from '#features/notifications/mails/jobs/notify-due-issues.job.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { ApiClient } from '../../../support/client.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { Notified } from '../../../support/notified.js';

const LEVELS = ['disabled', 'mention', 'participating', 'watch', 'custom'] as const;

/** A header as a lenient mail client shows it: encoded words (RFC 2047) count anywhere, also in quotes. */
const asShown = (header: string | null | undefined): string =>
  (header ?? '')
    .replaceAll(/(?<=\?=)\s+(?==\?)/g, '')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : decodeURIComponent(text.replaceAll('_', ' ').replaceAll('%', '=25').replaceAll('=', '%')),
    )
    .replaceAll('\u200b', '')
    .replaceAll('"', '');

describe('notification mails', () => {
  let api: TestApi;
  let inbox: Notified;
  let project: BuiltProject;
  let author: ApiClient;
  const people = new Map<string, AddedUser>();
  const client = (name: string): ApiClient => api.as(people.get(name)?.token ?? '');
  const comment = (issue: BuiltIssue, body: string, values: object = {}): Promise<unknown> =>
    author.post(`/projects/${project.id}/issues/${issue.iid}/notes`, { body, ...values });

  const enqueue = <P extends JsonObject>(job: JobDefinition<P>, payload: P): Promise<void> =>
    api.app.get(Transactions).run((tx) => api.app.get(Jobs).enqueue(tx, job, payload));

  beforeAll(async () => {
    inbox = await Notified.start();
    api = await startApi({ SMTP_URL: inbox.url, MAIL_FROM: 'Forge <noreply@forge.test>' });
    project = await buildProject(api.root, { name: 'web' });
    for (const name of ['author', 'guest', ...LEVELS]) {
      const user = await addUser(api, name);
      people.set(name, user);
      await buildMember(api, `projects/${project.id}`, user.id, name === 'guest' ? 10 : 30);
      if (name !== 'author' && name !== 'guest')
        await client(name).put(`/projects/${project.id}/notification_settings`, {
          level: name,
          new_note: true,
        });
    }
    author = client('author');
  });
  afterAll(async () => {
    await api.close();
    await inbox.close();
  });
  beforeEach(() => inbox.mails(api));

  it('are sent once according to levels, and never to the author of the event', async () => {
    const issue = await buildIssue(author, project.id, {
      description: '@mention and @disabled, look',
      assignee_ids: [people.get('participating')?.id],
    });
    const mails = await inbox.mails(api);
    expect(mails.map((mail) => [mail.to, mail.header('X-GitLab-NotificationReason')])).toEqual([
      ['mention', 'mentioned'],
      ['participating', 'assigned'],
      ['watch', null],
    ]);
    await comment(issue, 'A word');
    expect(await inbox.readers(api)).toEqual(['custom', 'participating', 'watch']);
    await client('watch').put(`/projects/${project.id}/issues/${issue.iid}`, { state_event: 'close' });
    expect(await inbox.readers(api)).toEqual(['author', 'participating']);
    // A mention subscribes already: to subscribe again says nothing.
    for (const [what, status] of [
      ['subscribe', 304],
      ['unsubscribe', 201],
      ['subscribe', 201],
    ] as const) {
      const path = `/projects/${project.id}/issues/${issue.iid}/${what}`;
      expect([what, (await client('disabled').post(path)).status]).toEqual([what, status]);
    }
    await client('participating').post(`/projects/${project.id}/issues/${issue.iid}/unsubscribe`);
    await comment(issue, 'Another word');
    expect(await inbox.readers(api)).toEqual(['custom', 'disabled', 'watch']);
  });

  it('thread the mails of an issue, and state its title', async () => {
    const issue = await buildIssue(author, project.id, {
      title: 'Slow <pages>',
      description: 'Since *today* & yesterday',
    });
    const [first] = await inbox.mails(api);
    expect(first?.header('Subject')).toBe(`web | Slow <pages> (#${issue.iid})`);
    expect(first?.header('Message-ID')).toBe(`<issue_${issue.id}@forgeplane.test>`);
    expect(first?.header('From')).toBe('"author (@author)" <noreply@forge.test>');
    expect(first?.header('Reply-To')).toBe('Forge <noreply@forge.test>');
    expect(first?.header('List-Id')).toBe(
      `${project.path_with_namespace} <${project.id}.web.root.forgeplane.test>`,
    );
    expect(first?.header('X-GitLab-Project-Id')).toBe(String(project.id));
    expect(first?.header('X-GitLab-Issue-IID')).toBe(String(issue.iid));
    expect(first?.content).toContain('\r\nX-GitLab-ConfidentialIssue: false\r\n');
    expect(first?.header('Auto-Submitted')).toBe('auto-generated');
    expect(first?.content).toContain('Since *today* & yesterday');
    expect(first?.content).toContain('Since *today* &amp; yesterday');
    await comment(issue, 'A word');
    const answers = await inbox.mails(api);
    for (const mail of answers) {
      expect(mail.header('Subject')).toBe(`Re: web | Slow <pages> (#${issue.iid})`);
      expect(mail.header('In-Reply-To')).toBe(`<issue_${issue.id}@forgeplane.test>`);
      expect(mail.header('References')).toBe(`<issue_${issue.id}@forgeplane.test>`);
      expect(mail.header('Message-ID')).toMatch(/^<note_\d+@forgeplane\.test>$/);
    }
    expect(answers).toHaveLength(2);
  });

  it('show titles and names as they are, also what looks like an encoded word', async () => {
    const forged = '=?utf-8?Q?Your_account_is_closed?=';
    const name = '=?utf-8?B?QWRtaW4=?=';
    const id = people.get('author')?.id ?? 0;
    expect((await api.root.put(`/users/${id}`, { name })).status).toBe(200);
    const issue = await buildIssue(author, project.id, { title: forged });
    const [mail] = await inbox.mails(api);
    await api.root.put(`/users/${id}`, { name: 'author' });
    expect(asShown(mail?.header('Subject'))).toBe(`web | ${forged} (#${issue.iid})`);
    expect(asShown(mail?.header('From'))).toBe(`${name} (@author) <noreply@forge.test>`);
  });

  it('are not sent to those who have disabled them meanwhile, unless they are subscribed', async () => {
    const issue = await buildIssue(author, project.id, { title: 'Meanwhile' });
    await inbox.mails(api);
    const settings = `/projects/${project.id}/notification_settings`;
    await client('watch').put(settings, { level: 'disabled' });
    await client('disabled').post(`/projects/${project.id}/issues/${issue.iid}/subscribe`);
    const at = { target: { type: 'Issue', id: issue.id }, projectId: project.id, groupId: null };
    for (const name of ['watch', 'disabled', 'participating']) {
      const [row] = await api.sql<{ id: number }>(
        `insert into sent_notifications (unsubscribe_key, event_id, event, user_id, target_type, target_id, project_id)
         values (md5($1), 'muted', $2, $3, 'Issue', $4, $5) returning id`,
        [name, { ...at, kind: 'close_issue', actorId: 1 }, people.get(name)?.id, issue.id, project.id],
      );
      await enqueue(DeliverNotificationJob, { sentNotificationId: row?.id ?? 0 });
    }
    expect(await inbox.readers(api)).toEqual(['disabled', 'participating']);
    await client('watch').put(settings, { level: 'watch' });
  });

  it('never reveal objects that the recipient may not read, and are checked again before sending', async () => {
    await client('guest').put(`/projects/${project.id}/notification_settings`, { level: 'watch' });
    const secret = await buildIssue(author, project.id, { confidential: true, description: '@guest' });
    expect(await inbox.readers(api)).toEqual(['watch']);
    const issue = await buildIssue(author, project.id, { assignee_ids: [people.get('guest')?.id] });
    expect(await inbox.readers(api)).toEqual(['guest', 'watch']);
    await comment(issue, '@guest', { internal: true });
    expect(await inbox.readers(api)).toEqual(['custom', 'watch']);
    await comment(secret, 'Psst');
    expect(await inbox.readers(api)).toEqual(['custom', 'watch']);

    const guestId = people.get('guest')?.id ?? 0;
    const rows = await api.sql<{ id: number }>(
      `insert into sent_notifications (unsubscribe_key, event_id, event, user_id, target_type, target_id, project_id)
       values (md5('late'), 'late', $1, $2, 'Issue', $3, $4) returning id`,
      [
        {
          kind: 'new_issue',
          target: { type: 'Issue', id: issue.id },
          projectId: project.id,
          groupId: null,
          actorId: 1,
        },
        guestId,
        issue.id,
        project.id,
      ],
    );
    await api.root.delete(`/projects/${project.id}/members/${guestId}`);
    await enqueue(DeliverNotificationJob, { sentNotificationId: rows[0]?.id ?? 0 });
    expect(await inbox.readers(api)).toEqual([]);
    expect(await api.sql(`select mailed_at from sent_notifications where event_id = 'late'`)).toEqual([
      { mailed_at: null },
    ]);
  });

  it('are not sent to mentioned users who cannot read the object', async () => {
    const { id, token } = await addUser(api, 'visitor');
    await buildMember(api, `projects/${project.id}`, id, 10);
    const issue = await buildIssue(author, project.id);
    await comment(issue, '@visitor and @participating', { internal: true });
    await inbox.mails(api);
    const isSubscribed = async (reader: ApiClient): Promise<unknown> =>
      (await reader.get<{ subscribed: boolean }>(`/projects/${project.id}/issues/${issue.iid}`)).body
        .subscribed;
    expect([await isSubscribed(api.as(token)), await isSubscribed(client('participating'))]).toEqual([
      false,
      true,
    ]);
    await comment(issue, 'A word to all');
    expect(await inbox.readers(api)).toEqual(['custom', 'participating', 'watch']);
    await comment(issue, '@visitor');
    await inbox.mails(api);
    await comment(issue, 'Another word to all');
    expect(await inbox.readers(api)).toEqual(['custom', 'participating', 'visitor', 'watch']);
    expect(await isSubscribed(api.as(token))).toBe(true);
  });

  it('about epics are not sent to users with minimal access to their group', async () => {
    const group = await buildGroup(api, { visibility: 'private' });
    for (const [name, level] of [
      ['hardly', 5],
      ['whole', 10],
    ] as const) {
      const { id, token } = await addUser(api, name);
      await buildMember(api, `groups/${group.id}`, id, level);
      await api.as(token).put('/notification_settings', { level: 'watch' });
    }
    await api.root.post(`/groups/${group.id}/epics`, { title: 'Plan', description: 'For @hardly' });
    expect(await inbox.readers(api)).toEqual(['whole']);
  });

  it('are unsubscribed from by one click (RFC 8058), but not by opening the link', async () => {
    const issue = await buildIssue(author, project.id);
    const mail = (await inbox.mails(api)).find(({ to }) => to === 'watch');
    expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const path =
      /<http:\/\/forgeplane\.test(\/-\/sent_notifications\/[0-9a-f]{32}\/unsubscribe)\?force=true>/.exec(
        mail?.header('List-Unsubscribe') ?? '',
      )?.[1];
    expect(path).toBeDefined();
    const page = await api.anonymous.get(path ?? '');
    expect([page.status, page.text.includes('<form')]).toEqual([200, true]);
    await comment(issue, 'Still there?');
    expect(await inbox.readers(api)).toContain('watch');
    const clicked = await fetch(`${api.url}${path ?? ''}?force=true`, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(clicked.status).toBe(200);
    await comment(issue, 'And now?');
    expect(await inbox.readers(api)).toEqual(['custom']);
    await comment(issue, '@watch?');
    expect(await inbox.readers(api)).toEqual(['custom', 'watch']);
    const unknown = await fetch(`${api.url}/-/sent_notifications/${'0'.repeat(32)}/unsubscribe`, {
      method: 'POST',
    });
    expect(unknown.status).toBe(404);
  });

  it('report issues that are due tomorrow, once', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await buildIssue(author, project.id, {
      due_date: tomorrow,
      assignee_ids: [people.get('participating')?.id],
    });
    await inbox.mails(api);
    for (let time = 0; time < 2; time += 1) {
      await enqueue(NotifyDueIssuesJob, {});
      expect(await inbox.readers(api)).toEqual(time === 0 ? ['author', 'participating'] : []);
    }
  });
});
