import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { buildBrowser } from '../../../support/builders/session.js';
import type { ApiClient } from '../../../support/client.js';
import { Notified } from '../../../support/notified.js';

interface Discussion {
  readonly id: string;
  readonly notes: readonly { readonly id: number }[];
}

describe('notification mails and threads', () => {
  let api: TestApi;
  let inbox: Notified;
  let project: BuiltProject;
  const people = new Map<string, AddedUser>();
  const client = (name: string): ApiClient => api.as(people.get(name)?.token ?? '');
  const idOf = (name: string): number => people.get(name)?.id ?? 0;

  beforeAll(async () => {
    inbox = await Notified.start();
    api = await startApi({ SMTP_URL: inbox.url });
    project = await buildProject(api.root, { name: 'web' });
    for (const name of ['author', 'other']) {
      people.set(name, await addUser(api, name));
      await buildMember(api, `projects/${project.id}`, idOf(name), 30);
    }
  });
  afterAll(async () => {
    await api.close();
    await inbox.close();
  });
  beforeEach(() => inbox.mails(api));

  it('are sent for projects with the longest paths', async () => {
    const parent = await buildGroup(api, { path: 'a'.repeat(250) });
    const group = await buildGroup(api, { path: 'b'.repeat(250), parent_id: parent.id });
    const deep = await buildGroup(api, { path: 'c'.repeat(250), parent_id: group.id });
    const far = await buildProject(api.root, { path: 'd'.repeat(250), namespace_id: deep.id });
    await buildMember(api, `projects/${far.id}`, idOf('author'), 30);
    await inbox.mails(api);
    await buildIssue(api.root, far.id, { title: 'Far away', assignee_ids: [idOf('author')] });
    const [mail, ...others] = await inbox.mails(api);
    expect(others).toEqual([]);
    expect(mail?.header('List-Id')).toBe(`<${far.id}.forgeplane.test>`);
    expect(mail?.header('X-GitLab-Project-Id')).toBe(String(far.id));
  });

  it('contain multi-line names safely', async () => {
    const name = 'Eve\r\nBcc: other@example.com\n\nDear reader';
    expect((await api.root.put(`/users/${idOf('other')}`, { name })).status).toBe(200);
    await buildIssue(client('other'), project.id, { assignee_ids: [idOf('author')] });
    const mail = (await inbox.mails(api)).find(({ to }) => to === 'author');
    expect(mail?.header('From')).toContain('Eve Bcc: other@example.com Dear reader (@other)');
    expect(mail?.header('Bcc')).toBeNull();
    expect(mail?.content).toContain('Eve Bcc: other@example.com Dear reader (@other) created issue');
    await api.root.put(`/users/${idOf('other')}`, { name: 'other' });
  });

  it('refer to all earlier notes of a discussion', async () => {
    const issue = await buildIssue(client('other'), project.id);
    const path = `/projects/${project.id}/issues/${issue.iid}/discussions`;
    const { body: discussion } = await client('author').post<Discussion>(path, { body: 'One' });
    const said = [discussion.notes[0]?.id ?? 0];
    for (const body of ['Two', 'Three']) {
      const answer = await client('author').post<{ id: number }>(`${path}/${discussion.id}/notes`, { body });
      said.push(answer.body.id);
    }
    await client('author').post(path, { body: 'Something else' });
    const mails = (await inbox.mails(api)).filter(({ to }) => to === 'other');
    const byId = new Map(mails.map((mail) => [mail.header('Message-ID'), mail]));
    const start = `<issue_${issue.id}@forgeplane.test>`;
    const ids = said.map((id) => `<note_${id}@forgeplane.test>`);
    expect(mails).toHaveLength(4);
    for (const [index, id] of ids.entries()) {
      const before = [start, ...ids.slice(0, index)];
      expect(byId.get(id)?.header('References')).toBe(before.join(' '));
      expect(byId.get(id)?.header('In-Reply-To')).toBe(before.at(-1));
      expect(byId.get(id)?.header('X-GitLab-Discussion-ID')).toBe(discussion.id);
    }
    const alone = mails.find((mail) => !ids.includes(mail.header('Message-ID') ?? ''));
    expect(alone?.header('References')).toBe(start);
  });

  it('are sent to unsubscribed users once an item is assigned to or removed from them', async () => {
    const issue = await buildIssue(client('author'), project.id);
    const path = `/projects/${project.id}/issues/${issue.iid}`;
    await client('other').post(`${path}/unsubscribe`);
    await client('other').post(`${path}/subscribe`);
    await client('other').post(`${path}/unsubscribe`);
    await inbox.mails(api);
    const told = async (): Promise<unknown[]> =>
      (await inbox.mails(api)).map((mail) => [mail.to, mail.header('X-GitLab-NotificationReason')]);
    await client('author').put(path, { assignee_ids: [idOf('other')] });
    expect(await told()).toEqual([['other', 'assigned']]);
    await client('author').post(`${path}/notes`, { body: 'A word' });
    expect(await told()).toEqual([]);
    await client('author').put(path, { assignee_ids: [] });
    expect(await told()).toEqual([['other', null]]);
  });

  it('contain the state of issues, and the group of epics', async () => {
    const group = await buildGroup(api, { visibility: 'private' });
    await buildMember(api, `groups/${group.id}`, idOf('other'), 20);
    const issue = await buildIssue(client('other'), project.id);
    await client('author').put(`/projects/${project.id}/issues/${issue.iid}`, { state_event: 'close' });
    const [closed] = await inbox.mails(api);
    expect(closed?.content).toContain('\r\nX-GitLab-Issue-State: closed\r\n');
    expect(closed?.header('X-GitLab-Issue-ID')).toBe(String(issue.id));
    expect(closed?.header('Message-ID')).toMatch(/^<[0-9a-f]{32}@forgeplane\.test>$/);

    const values = { title: 'Far', description: '@other' };
    const { body: epic } = await api.root.post<{ id: number; iid: number }>(
      `/groups/${group.id}/epics`,
      values,
    );
    const [mail] = await inbox.mails(api);
    expect(mail?.header('Subject')).toBe(`${group.name} | Far (&${epic.iid})`);
    expect(mail?.header('Message-ID')).toBe(`<epic_${epic.id}@forgeplane.test>`);
    expect(mail?.header('List-Id')).toBe(
      `${group.full_path} <${group.id}.${group.full_path}.forgeplane.test>`,
    );
    expect(mail?.content).toContain(`\r\nX-GitLab-Group-Id: ${group.id}\r\n`);
    expect(mail?.content).toContain(`\r\nX-GitLab-Group-Path: ${group.full_path}\r\n`);
    expect(mail?.content).toContain(`\r\nX-GitLab-Epic-ID: ${epic.id}\r\n`);
    expect(mail?.content).toContain(`\r\nX-GitLab-Epic-IID: ${epic.iid}\r\n`);
    expect(mail?.content).not.toContain('X-GitLab-Project');
    expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  });

  it('do not show the key that unsubscribes in their Message-ID, which replies repeat', async () => {
    const issue = await buildIssue(client('other'), project.id);
    await client('author').put(`/projects/${project.id}/issues/${issue.iid}`, { state_event: 'close' });
    const mail = (await inbox.mails(api)).find(({ to }) => to === 'other');
    const id = /^<([0-9a-f]{32})@forgeplane\.test>$/.exec(mail?.header('Message-ID') ?? '')?.[1] ?? '';
    expect(id).not.toBe('');
    expect(mail?.header('List-Unsubscribe')).not.toContain(id);
    expect((await api.anonymous.get(`/-/sent_notifications/${id}/unsubscribe`)).status).toBe(404);
  });

  it('are unsubscribed from by a signed-in user who opens the link, not by HEAD', async () => {
    const issue = await buildIssue(client('other'), project.id);
    await client('author').post(`/projects/${project.id}/issues/${issue.iid}/notes`, { body: 'A word' });
    const mail = (await inbox.mails(api)).find(({ to }) => to === 'other');
    const link = /\/-\/sent_notifications\/[0-9a-f]{32}\/unsubscribe/.exec(
      mail?.header('List-Unsubscribe') ?? '',
    )?.[0];
    const browser = await buildBrowser(api, idOf('other'));
    const subscribed = async (): Promise<unknown> =>
      (await client('other').get<{ subscribed: boolean }>(`/projects/${project.id}/issues/${issue.iid}`)).body
        .subscribed;
    expect((await browser.send('HEAD', link ?? '')).status).toBe(200);
    expect(await subscribed()).toBe(true);
    expect((await browser.get(link ?? '')).status).toBe(200);
    expect(await subscribed()).toBe(false);
  });

  it('are limited to a thousand a day per project or group, independently', async () => {
    const [busy, quiet] = [await buildGroup(api), await buildGroup(api)];
    for (const group of [busy, quiet]) await buildMember(api, `groups/${group.id}`, idOf('other'), 20);
    await api.sql(
      `insert into sent_notifications (unsubscribe_key, event_id, event, user_id, target_type, target_id, group_id)
       select md5('busy' || n), 'busy' || n, '{}', $1, 'Epic', 0, $2 from generate_series(1, 1000) n`,
      [idOf('other'), busy.id],
    );
    const create = (group: number): Promise<unknown> =>
      api.root.post(`/groups/${group}/epics`, { title: 'Far', description: '@other' });
    await create(busy.id);
    expect(await inbox.readers(api)).toEqual([]);
    await create(quiet.id);
    expect(await inbox.readers(api)).toEqual(['other']);
    await buildIssue(client('author'), project.id, { description: '@other' });
    expect(await inbox.readers(api)).toEqual(['other']);
  });
});
