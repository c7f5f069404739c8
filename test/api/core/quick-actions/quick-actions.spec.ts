import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { command } from '../../../support/commands.js';
import { Notified } from '../../../support/notified.js';

interface Note {
  readonly body: string;
  readonly system: boolean;
}

describe('commands in notes', () => {
  let notified: Notified;
  let api: TestApi;
  let ada: CreatedUser;
  let bob: CreatedUser;
  let gil: CreatedUser;
  let project: string;
  beforeAll(async () => {
    notified = await Notified.start();
    api = await startApi({ SMTP_URL: notified.url });
    [ada, bob, gil] = [await createUser(api), await createUser(api), await createUser(api)];
    const { id } = await buildProject(api.root, { visibility: 'public' });
    project = `/projects/${id}`;
    await buildMember(api, `projects/${id}`, ada.id, 20);
    await buildMember(api, `projects/${id}`, bob.id, 20);
    await buildMember(api, `projects/${id}`, gil.id, 10);
    for (const name of ['bug', 'wide']) await api.root.post(`${project}/labels`, { name, color: '#ff0000' });
  });
  afterAll(async () => {
    await api.close();
    await notified.close();
  });

  const issue = async (values: object = {}, client = api.root): Promise<string> => {
    const { iid } = await buildIssue(client, Number(project.split('/')[2]), { ...values });
    return `${project}/issues/${iid}`;
  };
  const shown = async (path: string, client = ada.client): Promise<BuiltIssue> =>
    (await client.get<BuiltIssue>(path)).body;
  const said = async (path: string): Promise<string[]> =>
    (await ada.client.get<Note[]>(`${path}/notes?sort=asc`)).body.map(
      ({ body, system }) => (system ? '* ' : '') + body,
    );
  const commented = async (client: ApiClient): Promise<number> =>
    (await client.get<unknown[]>('/events?action=commented&per_page=100')).body.length;

  it('without other text are executed and create no note, event or mail', async () => {
    const path = await issue();
    await notified.mails(api);
    expect(await command(ada.client, path, '/close\n/label ~bug\n')).toEqual({
      status: 202,
      changes: { state_event: 'close', add_label_ids: [expect.any(Number)] },
      summary: ['Added ~bug.', 'Closed this issue.'],
    });
    expect(await shown(path)).toMatchObject({ state: 'closed', labels: ['bug'] });
    expect(await said(path)).toEqual(['* added ~bug label', '* closed']);
    expect(await commented(ada.client)).toBe(0);
    const [mail, ...others] = await notified.mails(api);
    expect(others).toEqual([]);
    expect(mail?.content).toContain('closed');
  });

  it('are removed from the text of a note, which reports their changes', async () => {
    const path = await issue();
    const before = await commented(ada.client);
    const answer = await command(ada.client, path, 'Works now.\n\n/close\nThanks @nobody\n/due 2030-01-02');
    expect(answer).toMatchObject({
      status: 201,
      body: 'Works now.\n\nThanks @nobody',
      changes: { state_event: 'close', due_date: '2030-01-02' },
    });
    expect(await shown(path)).toMatchObject({ state: 'closed', due_date: '2030-01-02' });
    expect((await said(path))[0]).toBe('Works now.\n\nThanks @nobody');
    expect(await commented(ada.client)).toBe(before + 1);
    const { body } = await ada.client.get<{ commands_changes: object }>(`${path}/notes/${answer.id ?? 0}`);
    expect(body.commands_changes).toEqual({});
  });

  it('are text if they are unknown, in code, quotes and comments, and on snippets and commits', async () => {
    const path = await issue();
    for (const body of [
      '/deploy now',
      '```\n/close\n```',
      '> /close',
      '<!--\n/close\n-->',
      'so `a\n/close\n`',
      '/todo',
    ])
      expect(await command(ada.client, path, body)).toMatchObject({ status: 201, body, changes: {} });
    expect((await shown(path)).state).toBe('opened');
    const snippet = await api.root.post<{ id: number }>(`${project}/snippets`, {
      title: 'S',
      file_name: 'a',
      content: 'a',
      visibility: 'public',
    });
    const place = `${project}/snippets/${snippet.body.id}`;
    expect(await command(api.root, place, '/close')).toMatchObject({ status: 201, body: '/close' });
    expect(await command(ada.client, path, 'Well /shrug\n/shrug so')).toMatchObject({
      status: 201,
      body: 'Well /shrug\nso ¯\\＿(ツ)＿/¯',
    });
    expect(await command(ada.client, path, '/tableflip')).toMatchObject({
      status: 201,
      body: '(╯°□°)╯︵ ┻━┻',
    });
  });

  it('are not executed when a note is changed', async () => {
    const path = await issue();
    const { id } = await command(ada.client, path, 'Hello');
    const answer = await ada.client.put<Note>(`${path}/notes/${id ?? 0}`, { body: 'Hello\n/close' });
    expect([answer.status, answer.body.body]).toEqual([200, 'Hello\n/close']);
    expect((await shown(path)).state).toBe('opened');
  });

  it('have no effect without permission or on the wrong type, and report this', async () => {
    const path = await issue();
    const all =
      '/close\n/title x\n/label ~bug\n/assign me\n/due today\n/confidential\n/estimate 1h\n/lock\n/move a/b';
    const answer = await command(gil.client, path, all);
    expect([answer.status, answer.changes, answer.summary.length]).toEqual([202, {}, 9]);
    expect(new Set(answer.summary.map((text) => text.replace(/\/\w+/, '/x')))).toEqual(
      new Set(['Could not apply /x: you are not allowed to do that.']),
    );
    expect(await said(path)).toEqual([]);
    expect((await command(ada.client, path, '/merge\n/approve\n/draft')).summary).toEqual([
      'Could not apply /merge: this command is not available for issues.',
      'Could not apply /approve: this command is not available for issues.',
      'Could not apply /draft: this command is not available for issues.',
    ]);
    // With other text, the note is written nevertheless.
    expect(await command(gil.client, path, 'Hm\n/close')).toMatchObject({
      status: 201,
      body: 'Hm',
      changes: {},
    });
    const own = await issue({}, gil.client);
    expect(await command(gil.client, own, '/close\n/label ~bug')).toMatchObject({
      changes: { state_event: 'close' },
    });
  });

  it('have no effect if the note itself is refused', async () => {
    const path = await issue();
    await api.root.put(path, { discussion_locked: true });
    const stranger = await createUser(api);
    const refused = await stranger.client.post(`${path}/notes`, { body: '/subscribe' });
    expect(refused.status).toBe(403);
    expect((await api.anonymous.post(`${path}/notes`, { body: '/close' })).status).toBe(401);
    const hidden = await issue({ confidential: true });
    expect((await gil.client.post(`${hidden}/notes`, { body: '/close' })).status).toBe(404);
    expect((await gil.client.post(`${path}/notes`, { body: '/subscribe', internal: true })).status).toBe(403);
    expect((await command(gil.client, path, '/subscribe')).status).toBe(202);
  });

  it('work in discussions', async () => {
    const path = await issue();
    const begun = await ada.client.post<{ id: string; notes: Note[] }>(`${path}/discussions`, {
      body: 'Why?\n/label ~wide',
    });
    const first = { body: 'Why?', commands_changes: { add_label_ids: [expect.any(Number)] } };
    expect(begun).toMatchObject({ status: 201, body: { notes: [first] } });
    const later = await ada.client.get<{ notes: Note[] }>(`${path}/discussions/${begun.body.id}`);
    expect(later.body).toMatchObject({ notes: [{ body: 'Why?', commands_changes: {} }] });
    const replies = `${path}/discussions/${begun.body.id}/notes`;
    const only = await ada.client.post(replies, { body: '/close' });
    expect([only.status, only.body]).toEqual([
      202,
      { commands_changes: { state_event: 'close' }, summary: ['Closed this issue.'] },
    ]);
    const mixed = await ada.client.post(replies, { body: '/reopen\nNo' });
    expect(mixed).toMatchObject({
      status: 201,
      body: { body: 'No', commands_changes: { state_event: 'reopen' } },
    });
    expect((await ada.client.post(`${path}/discussions`, { body: '/close' })).status).toBe(202);
    expect(await shown(path)).toMatchObject({ state: 'closed', labels: ['wide'] });
  });

  it('of one kind are one change, of which the last takes effect', async () => {
    const path = await issue();
    const many =
      '/label ~bug\n/close\n/reopen\n/title One\n/title Two\n/due today\n/due 2031-01-01\n/unlabel ~bug\n/label ~wide';
    expect((await command(ada.client, path, many)).summary).toEqual([
      'Added ~wide.',
      'Changed the title to "Two".',
      'Set the due date to 2031-01-01.',
      'This issue is open already.',
    ]);
    expect(await shown(path)).toMatchObject({ title: 'Two', labels: ['wide'], due_date: '2031-01-01' });
    const flood = '/label ~bug\n/unlabel ~bug\n/assign me\n/title x\n/spend 1m\n';
    // A hundred commands are executed, more are refused.
    expect(await command(ada.client, path, flood.repeat(20))).toMatchObject({
      status: 202,
      changes: { title: 'x' },
    });
    expect((await command(ada.client, path, flood.repeat(15_000))).status).toBe(422);
  });

  it('executed simultaneously do not overwrite each other', async () => {
    const path = await issue();
    const texts = [
      '/label ~bug',
      '/label ~wide',
      '/assign @x',
      `/assign @${ada.username}`,
      `/assign @${bob.username}`,
    ];
    const answers = await Promise.all(
      [...texts, ...texts].map((text, at) =>
        command(at % 2 === 0 ? ada.client : bob.client, path, `${text}\n/close\nText ${at}`),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(answers.filter(({ changes }) => changes['state_event'] === 'close')).toHaveLength(1);
    const after = await shown(path);
    expect([after.state, after.labels]).toEqual(['closed', ['bug', 'wide']]);
    expect(after.assignees.map(({ id }) => id).sort()).toEqual([ada.id, bob.id].sort());
    expect((await said(path)).filter((text) => text === '* closed')).toHaveLength(1);
  });
});
