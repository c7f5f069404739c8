import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildMember } from '../../../support/builders/member.js';
import type { ApiClient } from '../../../support/client.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { Notified } from '../../../support/notified.js';

/** Everything that a custom level can enable, beyond its defaults. */
const SWITCHED = { push_to_merge_request: true, success_pipeline: true, merge_when_pipeline_succeeds: true };

describe('mails about code', () => {
  let api: TestApi;
  let inbox: Notified;
  let world: MergeWorld;
  const people = new Map<string, AddedUser>();
  const idOf = (name: string): number => people.get(name)?.id ?? 0;
  const client = (name: string): ApiClient => api.as(people.get(name)?.token ?? '');

  /** Returns `reader reason` of each mail since the last call. */
  const told = async (): Promise<string[]> =>
    (await inbox.mails(api))
      .map((mail) => `${mail.to} ${mail.header('X-GitLab-NotificationReason') ?? 'none'}`)
      .sort();

  beforeAll(async () => {
    inbox = await Notified.start();
    api = await startApi({ SMTP_URL: inbox.url, MAIL_FROM: 'Forge <noreply@forge.test>' });
    world = await MergeWorld.build(api);
    await api.root.put('/license', {});
    for (const name of ['assignee', 'custom', 'guest', 'reviewer', 'watch']) {
      const user = await addUser(api, name);
      people.set(name, user);
      await buildMember(api, `projects/${world.code.id}`, user.id, name === 'guest' ? 10 : 30);
    }
    for (const name of ['guest', 'watch'])
      await client(name).put(`${world.base}/notification_settings`, { level: 'watch' });
    await client('custom').put(`${world.base}/notification_settings`, { level: 'custom', ...SWITCHED });
  });
  afterAll(async () => {
    await api.close();
    await inbox.close();
  });
  beforeEach(() => inbox.mails(api));

  it('report changes of merge requests, only to users who may see the code', async () => {
    const { id, iid } = await world.open('feature', undefined, {
      description: '@reviewer @guest',
      assignee_ids: [idOf('assignee')],
    });
    const mails = await inbox.mails(api);
    expect(mails.map((mail) => `${mail.to} ${mail.header('X-GitLab-NotificationReason') ?? 'none'}`)).toEqual(
      ['assignee assigned', 'reviewer mentioned', 'watch none'],
    );
    expect(mails[0]?.header('Message-ID')).toBe(`<merge_request_${id}@forgeplane.test>`);
    expect(mails[0]?.header('X-GitLab-MergeRequest-IID')).toBe(String(iid));
    const path = `${world.base}/merge_requests/${iid}`;
    await world.dev.put(path, { assignee_ids: [idOf('reviewer')] });
    expect(await told()).toEqual(['assignee none', 'reviewer assigned', 'watch none']);
    await world.dev.put(path, { assignee_ids: [], reviewer_ids: [idOf('assignee')] });
    expect(await told()).toEqual([
      'assignee none',
      'assignee review_requested',
      'reviewer none',
      'reviewer none',
      'watch none',
      'watch none',
    ]);
    const sha = await world.commit('feature', { 'more.txt': 'more\n' });
    await world.when(iid, (one) => one.sha === sha);
    expect(await told()).toEqual(['assignee none', 'custom none', 'reviewer none']);
    await world.dev.put(path, { state_event: 'close' });
    expect(await told()).toEqual(['assignee none', 'reviewer none', 'watch none']);
    await world.dev.put(path, { state_event: 'reopen' });
    expect(await told()).toEqual(['assignee none', 'reviewer none', 'watch none']);
    await client('reviewer').post(`${path}/notes`, { body: 'A word' });
    expect(await inbox.readers(api)).toContain('assignee');
    await world.checked(iid);
    expect((await world.merge(iid, {}, world.code.maintainer)).status).toBe(200);
    expect(await inbox.readers(api)).toEqual(expect.arrayContaining(['assignee', 'reviewer', 'watch']));
  });

  it('report that a merge waits for its pipeline, and that it can no longer be merged', async () => {
    const { id, iid, sha } = await world.open('waits');
    const [pipeline] = await api.sql<{ id: number }>(
      `insert into ci_pipelines (project_id, iid, sha, ref, status, source) values ($1, 9001, $2, 'waits', 'running', 'push') returning id`,
      [world.code.id, sha],
    );
    await api.sql('update merge_requests set head_pipeline_id = $2 where id = $1', [id, pipeline?.id]);
    await inbox.mails(api);
    await world.merge(iid, { merge_when_pipeline_succeeds: true });
    expect(await told()).toEqual(['custom none', 'watch none']);
    await world.code.maintainer.post(`${world.base}/repository/files/waits.txt`, {
      branch: 'main',
      content: 'other',
      commit_message: 'Another',
    });
    await world.when(iid, (one) => one.has_conflicts);
    expect(
      (await inbox.mails(api)).map(({ content }) => content.includes('can no longer be merged')),
    ).toEqual([true]);
  });

  it('report that it can no longer be merged also to the user who caused the conflict', async () => {
    const { iid } = await world.open('own');
    await world.dev.post(`${world.base}/repository/files/own.txt`, {
      branch: 'main',
      content: 'other',
      commit_message: 'Another',
    });
    await world.when(iid, (one) => one.has_conflicts);
    const mails = (await inbox.mails(api)).filter(({ content }) => content.includes('no longer be merged'));
    expect(mails).toHaveLength(1);
  });

  it('report the result of pipelines to their users, according to their settings', async () => {
    const ended = async (state: string): Promise<string[]> => {
      const sha = await world.commit('piped', { [`${state}-${Date.now()}.txt`]: '' });
      await inbox.mails(api);
      await client('custom').post(`${world.base}/statuses/${sha}`, { state, ref: 'piped' });
      await world.dev.post(`${world.base}/statuses/${sha}`, { state, ref: 'piped', name: 'other' });
      const mails = await inbox.mails(api);
      for (const { content } of mails) {
        expect(content).toMatch(/\r\nX-GitLab-Pipeline-Id: \d+\r\n/);
        expect(content).toContain(`\r\nX-GitLab-Pipeline-Status: ${state}\r\n`);
      }
      return mails.map((mail) => mail.header('Subject')?.replace(/#\d+/, '#1') ?? '');
    };
    const { name } = (await world.dev.get<{ name: string }>(world.base)).body;
    expect(await ended('failed')).toEqual([`${name} | Failed pipeline for piped (#1)`]);
    expect(await ended('success')).toEqual([`${name} | Fixed pipeline for piped (#1)`]);
    expect(await ended('success')).toEqual([`${name} | Successful pipeline for piped (#1)`]);
  });

  it('report pipelines only to users who may still read them', async () => {
    const member = (level: number): Promise<unknown> =>
      api.root.put(`${world.base}/members/${idOf('custom')}`, { access_level: level });
    const failed = async (): Promise<string[]> => {
      const sha = await world.commit('kept-back', { [`${Date.now()}.txt`]: '' });
      await client('custom').post(`${world.base}/statuses/${sha}`, { state: 'running', ref: 'kept-back' });
      await member(10);
      await inbox.mails(api);
      await world.dev.post(`${world.base}/statuses/${sha}`, { state: 'failed', ref: 'kept-back' });
      const mails = await inbox.mails(api);
      await member(30);
      return mails.filter(({ content }) => content.includes('Failed pipeline')).map(({ to }) => to);
    };
    expect(await failed()).toEqual(['custom']);
    await api.root.put(world.base, { public_jobs: false });
    expect(await failed()).toEqual([]);
    await api.root.put(world.base, { public_jobs: true });
  });

  it('report notes on snippets and commits', async () => {
    const snippet = await world.dev.post<{ id: number }>(`${world.base}/snippets`, {
      title: 'A snippet',
      visibility: 'private',
      files: [{ file_path: 'a.txt', content: 'a' }],
    });
    await client('reviewer').post(`${world.base}/snippets/${snippet.body.id}/notes`, { body: '@assignee' });
    expect((await told()).filter((line) => line.startsWith('assignee'))).toEqual(['assignee mentioned']);
    const [sha] = world.code.commits;
    const commented = await client('reviewer').post(
      `${world.base}/repository/commits/${sha ?? ''}/comments`,
      {
        note: '@assignee and @guest, look',
      },
    );
    expect(commented.status).toBe(201);
    const mails = await inbox.mails(api);
    expect(mails.map(({ to }) => to)).toEqual(['assignee', 'watch']);
    await client('watch').post(`${world.base}/repository/commits/${sha ?? ''}/comments`, { note: 'Yes' });
    expect(await inbox.readers(api)).toEqual(['reviewer']);
  });

  it('report nothing to users whom a note mentions only after an edit', async () => {
    const { body: issue } = await world.dev.post<{ iid: number }>(`${world.base}/issues`, {
      title: 'Edited',
    });
    const path = `${world.base}/issues/${issue.iid}`;
    const { body: note } = await world.dev.post<{ id: number }>(`${path}/notes`, { body: 'A word' });
    await inbox.mails(api);
    await world.dev.put(`${path}/notes/${note.id}`, { body: 'A word, @reviewer' });
    expect(await told()).toEqual([]);
    await world.dev.put(path, { description: 'See @reviewer' });
    expect(await told()).toEqual(['reviewer mentioned']);
  });

  it('report epics to members of the group', async () => {
    const group = await buildGroup(api, { visibility: 'private' });
    for (const name of ['assignee', 'watch']) await buildMember(api, `groups/${group.id}`, idOf(name), 20);
    await client('watch').put(`/groups/${group.id}/notification_settings`, { level: 'watch' });
    const { body: epic } = await api.root.post<{ iid: number }>(`/groups/${group.id}/epics`, {
      title: 'An epic',
      description: '@assignee @reviewer',
    });
    expect(await told()).toEqual(['assignee mentioned', 'watch none']);
    await api.root.put(`/groups/${group.id}/epics/${epic.iid}`, { state_event: 'close' });
    expect(await told()).toEqual(['assignee none', 'watch none']);
    await client('assignee').post(`/groups/${group.id}/epics/${epic.iid}/notes`, { body: 'A word' });
    expect(await inbox.readers(api)).toContain('watch');
  });

  it('report a moved project to its members', async () => {
    const group = await buildGroup(api, { visibility: 'private' });
    const answer = await api.root.put(`${world.base}/transfer`, { namespace: group.id });
    expect(answer.status).toBe(200);
    const mails = await inbox.mails(api);
    expect(mails.map(({ to }) => to)).toEqual(
      expect.arrayContaining(['assignee', 'custom', 'guest', 'reviewer', 'watch']),
    );
    expect(mails[0]?.header('Subject')).toMatch(/ \| Project was moved$/);
    expect(mails[0]?.content).toContain(`The project was moved: it is now ${group.full_path}/`);
  });
});
