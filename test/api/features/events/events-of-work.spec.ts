import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventRecord } from '#features/events/event.record.js';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser } from '../../../support/builders/user.js';
import { gitUrl } from '../../../support/git-http.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { borrowApi } from '../../../support/shared-api.js';

/** Each operation of `planning.md` 1.4 through the route that users call. */
describe('actions of users', () => {
  let api: TestApi;
  let world: MergeWorld;

  beforeAll(async () => {
    api = await borrowApi();
    world = await MergeWorld.build(api);
  });
  afterAll(() => api.close());

  /** The events of the project since that one, oldest first; the developer's own list has those of the developer. */
  const since = async (last: number): Promise<EventRecord[]> => {
    const [seen, own] = await Promise.all(
      [`${world.base}/events`, `/users/${world.code.developerId}/events`].map((path) =>
        world.dev.get<EventRecord[]>(`${path}?per_page=100&sort=asc`),
      ),
    );
    const events = (seen?.body ?? []).filter(({ id }) => id > last);
    const theirs = events.filter(({ author_id: author }) => author === world.code.developerId);
    const here = (own?.body ?? []).filter(({ project_id: place }) => place === world.code.id);
    expect(here.filter(({ id }) => id > last)).toEqual(theirs);
    return events;
  };
  const last = async (): Promise<number> =>
    (await world.dev.get<EventRecord[]>(`${world.base}/events?order_by=id&per_page=1`)).body[0]?.id ?? 0;

  const told = async (act: () => Promise<unknown>): Promise<unknown[]> => {
    const before = await last();
    await act();
    return (await since(before)).map((event) => [
      event.action_name,
      event.target_type,
      event.target_title,
      event.author_id === world.code.developerId ? 'dev' : event.author_username,
      event.target_iid,
    ]);
  };
  const ok = async (answer: Promise<{ status: number; text: string }>): Promise<void> => {
    const { status, text } = await answer;
    expect([status, status < 300 ? '' : text]).toEqual([expect.any(Number), '']);
  };

  it('on issues are recorded', async () => {
    const { base, dev } = world;
    let iid = 0;
    const path = (): string => `${base}/issues/${iid}`;
    expect(
      await told(async () => (iid = (await buildIssue(dev, world.code.id, { title: 'T' })).iid)),
    ).toEqual([['opened', 'Issue', 'T', 'dev', 1]]);
    expect(await told(() => ok(dev.put(path(), { state_event: 'close' })))).toEqual([
      ['closed', 'Issue', 'T', 'dev', 1],
    ]);
    expect(await told(() => ok(dev.put(path(), { state_event: 'reopen' })))).toEqual([
      ['opened', 'Issue', 'T', 'dev', 1],
    ]);
    const quiet = { title: 'U', description: 'd', add_labels: 'x', due_date: '2030-01-01', weight: 3 };
    expect(await told(() => ok(dev.put(path(), quiet)))).toEqual([]);
    expect(await told(() => ok(dev.post(`${path()}/award_emoji`, { name: 'tada' })))).toEqual([]);
    const note = await told(() => ok(dev.post(`${path()}/notes`, { body: 'Said' })));
    expect(note).toEqual([['commented on', 'Note', 'U', 'dev', expect.any(Number)]]);
  });

  it('on issues that move are recorded on both sides', async () => {
    const { base, dev, code } = world;
    const { id: target } = await buildProject(api.root);
    await api.root.post(`/projects/${target}/members`, { user_id: code.developerId, access_level: 20 });
    const there = async (): Promise<unknown[]> =>
      (await dev.get<EventRecord[]>(`/projects/${target}/events?target_type=issue`)).body.map((event) => [
        event.action_name,
        event.target_title,
        event.target_iid,
        event.author_id,
      ]);
    const { iid } = await buildIssue(dev, code.id, { title: 'Goes' });
    const move = (): Promise<void> => ok(dev.post(`${base}/issues/${iid}/move`, { to_project_id: target }));
    expect(await told(move)).toEqual([['closed', 'Issue', 'Goes', 'dev', iid]]);
    expect(await there()).toEqual([['opened', 'Goes', 1, code.developerId]]);

    const done = await buildIssue(dev, code.id, { title: 'Done' });
    await ok(dev.put(`${base}/issues/${done.iid}`, { state_event: 'close' }));
    expect(
      await told(() => ok(dev.post(`${base}/issues/${done.iid}/move`, { to_project_id: target }))),
    ).toEqual([]);
    expect(await there()).toHaveLength(2);
  });

  it('on discussions are recorded, for notes of every kind', async () => {
    const { base, dev } = world;
    const { iid } = await buildIssue(dev, world.code.id, { title: 'Talk' });
    const talk = `${base}/issues/${iid}/discussions`;
    expect(await told(() => ok(dev.post(talk, { body: 'One' })))).toEqual([
      ['commented on', 'DiscussionNote', 'Talk', 'dev', expect.any(Number)],
    ]);
    const notes = await dev.get<EventRecord[]>(`${base}/events?target_type=note&per_page=1`);
    expect(notes.body[0]).toMatchObject({
      target_type: 'DiscussionNote',
      note: { body: 'One', noteable_iid: iid },
    });
  });

  it('on merge requests are recorded', async () => {
    const { base, dev } = world;
    const shown = await world.open('first');
    const path = `${base}/merge_requests/${shown.iid}`;
    const line = (action: string, who = 'dev'): unknown => [
      action,
      'MergeRequest',
      'Bring first',
      who,
      shown.iid,
    ];
    expect(await told(() => ok(dev.put(path, { state_event: 'close' })))).toEqual([line('closed')]);
    expect(await told(() => ok(dev.put(path, { state_event: 'reopen' })))).toEqual([line('opened')]);
    expect(await told(() => ok(dev.post(`${path}/notes`, { body: 'Said' })))).toEqual([
      ['commented on', 'Note', 'Bring first', 'dev', expect.any(Number)],
    ]);
    const approved = await told(() => ok(api.root.post(`${path}/approve`)));
    expect(approved).toEqual([line('approved', 'root')]);
    expect(await told(() => ok(api.root.post(`${path}/unapprove`)))).toEqual([]);
    await world.checked(shown.iid);
    const merged = await told(async () => {
      expect((await world.merge(shown.iid)).status).toBe(200);
      await world.when(shown.iid, ({ state }) => state === 'merged');
    });
    expect(merged).toContainEqual(line('accepted'));
    expect(merged).toContainEqual(['pushed to', null, null, 'dev', null]);
    expect(merged).toHaveLength(2);
  });

  it('on milestones are recorded', async () => {
    const { base, dev } = world;
    const line = (action: string): unknown => [action, 'Milestone', 'M', 'dev', 1];
    let id = 0;
    const create = async (): Promise<void> => {
      id = (await dev.post<{ id: number }>(`${base}/milestones`, { title: 'M' })).body.id;
    };
    expect(await told(create)).toEqual([line('opened')]);
    const path = `${base}/milestones/${id}`;
    expect(await told(() => ok(dev.put(path, { state_event: 'close' })))).toEqual([line('closed')]);
    expect(await told(() => ok(dev.put(path, { state_event: 'activate' })))).toEqual([line('opened')]);
    expect(await told(() => ok(dev.put(path, { due_date: '2030-01-01' })))).toEqual([]);
    expect(await told(() => ok(dev.delete(path)))).toEqual([line('destroyed')]);
  });

  it('on snippets, commits and wiki pages are recorded', async () => {
    const { base, dev, code } = world;
    const snippet = { title: 'S', visibility: 'private', files: [{ file_path: 'a.txt', content: 'a' }] };
    let id = 0;
    const create = async (): Promise<void> => {
      const answer = await dev.post<{ id: number }>(`${base}/snippets`, snippet);
      expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
      id = answer.body.id;
    };
    expect(await told(create)).toEqual([]);
    expect(await told(() => ok(dev.post(`${base}/snippets/${id}/notes`, { body: 'Said' })))).toEqual([
      ['commented on', 'Note', 'S', 'dev', expect.any(Number)],
    ]);
    const commit = `${base}/repository/commits/${code.commits[1]}/comments`;
    expect(await told(() => ok(dev.post(commit, { note: 'Said' })))).toEqual([
      ['commented on', 'Note', 'Second', 'dev', expect.any(Number)],
    ]);
    const page = `${base}/wikis`;
    expect(await told(() => ok(dev.post(page, { title: 'Home page', content: 'x' })))).toEqual([
      ['created', 'WikiPage::Meta', 'Home page', 'dev', null],
    ]);
    expect(await told(() => ok(dev.put(`${page}/Home-page`, { content: 'y' })))).toEqual([
      ['updated', 'WikiPage::Meta', 'Home page', 'dev', null],
    ]);
    const events = await dev.get<EventRecord[]>(`${base}/events?target_type=wiki&per_page=1`);
    expect(events.body[0]?.wiki_page).toEqual({ format: 'markdown', slug: 'Home-page', title: 'Home page' });
    expect(await told(() => ok(code.maintainer.delete(`${page}/Home-page`)))).toEqual([
      ['destroyed', 'WikiPage::Meta', 'Home page', expect.stringContaining('user-'), null],
    ]);
  });

  it('on projects and their members are recorded', async () => {
    const user = await createUser(api);
    const project = await buildProject(user.client);
    const added = await createUser(api);
    await user.client.post(`/projects/${project.id}/members`, { user_id: added.id, access_level: 30 });
    await user.client.put(`/projects/${project.id}/members/${added.id}`, { access_level: 20 });
    await user.client.delete(`/projects/${project.id}/members/${added.id}`);
    const { body } = await user.client.get<EventRecord[]>(`/projects/${project.id}/events?sort=asc`);
    expect(body.map((one) => [one.action_name, one.target_type, one.author_id])).toEqual([
      ['created', null, user.id],
      ['joined', null, added.id],
      ['left', null, added.id],
    ]);
  });

  it('on a commit with a huge subject are recorded with its beginning', async () => {
    const { base, dev, code } = world;
    const url = gitUrl(api, `/${code.fullPath}.git`, ['root', ROOT_TOKEN]);
    await code.work.git('checkout', '--quiet', '--detach', code.commits[1] ?? '');
    const id = await code.work.commit(
      { 'huge.txt': '1' },
      `${'é'.repeat(254)}\u{1f600}${'x'.repeat(100_000)}`,
    );
    await code.work.git('push', '--quiet', url, `${id}:refs/heads/huge`);
    const comment = `${base}/repository/commits/${id}/comments`;
    expect(await told(() => ok(dev.post(comment, { note: 'Said' })))).toEqual([
      ['commented on', 'Note', `${'é'.repeat(254)}…`, 'dev', expect.any(Number)],
    ]);
  });

  it('by git are recorded, per ref, or together for many of one kind', async () => {
    const { code, base, dev } = world;
    const { work } = code;
    const url = gitUrl(api, `/${code.fullPath}.git`, ['root', ROOT_TOKEN]);
    const push = async (...refs: string[]): Promise<unknown[]> => {
      const before = await last();
      const { code: exit, stderr } = await work.run(['push', '--force', url, ...refs]);
      expect([exit, exit === 0 ? '' : stderr]).toEqual([0, '']);
      return (await since(before)).map(({ action_name: action, push_data: data, ...event }) => {
        expect([event.target_id, event.target_iid, event.target_type, event.target_title]).toEqual([
          null,
          null,
          null,
          null,
        ]);
        return [action, data];
      });
    };
    const data = (values: object): object => ({
      commit_count: 0,
      action: 'created',
      ref_type: 'branch',
      commit_from: null,
      commit_to: null,
      ref: null,
      commit_title: null,
      ref_count: null,
      ...values,
    });
    await work.git('checkout', '--quiet', '-b', 'long', code.commits[1] ?? '');
    await work.commit({ 'l.txt': '1' }, 'Before');
    const long = await work.commit({ 'l.txt': '2' }, `${'é'.repeat(80)}\n\nbody`);
    const title = `${'é'.repeat(67)}...`;
    expect(await push('long')).toEqual([
      ['pushed new', data({ commit_count: 2, commit_to: long, ref: 'long', commit_title: title })],
    ]);
    const next = await work.commit({ 'l.txt': '3' }, 'x'.repeat(70));
    const moved = { commit_count: 1, action: 'pushed', commit_from: long, commit_to: next, ref: 'long' };
    expect(await push('long')).toEqual([['pushed to', data({ ...moved, commit_title: 'x'.repeat(70) })]]);
    const names = (count: number, prefix: string): string[] =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    const to = (kind: string, ...all: string[]): string[] => all.map((name) => `long:refs/${kind}/${name}`);
    expect(await push(...to('heads', ...names(3, 'b')), ...to('tags', ...names(4, 't')))).toEqual([
      ...names(3, 'b').map((ref) => [
        'pushed new',
        data({ commit_to: next, ref, commit_title: 'x'.repeat(70) }),
      ]),
      ['pushed new', data({ ref_type: 'tag', ref_count: 4 })],
    ]);
    expect(await push(':refs/tags/t0', ':refs/heads/b0', `long:refs/heads/b3`)).toEqual([
      ['deleted', data({ action: 'removed', commit_from: next, ref: 'b0' })],
      ['deleted', data({ action: 'removed', ref_type: 'tag', commit_from: next, ref: 't0' })],
      ['pushed new', data({ commit_to: next, ref: 'b3', commit_title: 'x'.repeat(70) })],
    ]);
    expect(await told(() => ok(code.maintainer.put(base, { description: 'quiet' })))).toEqual([]);
    expect(await told(() => ok(dev.post(`${base}/repository/branches?branch=api&ref=main`)))).toEqual([
      ['pushed new', null, null, 'dev', null],
    ]);
    expect(await told(() => ok(dev.post(`${base}/repository/tags?tag_name=v1&ref=main`)))).toEqual([
      ['pushed new', null, null, 'dev', null],
    ]);
    expect(await told(() => ok(dev.delete(`${base}/repository/branches/api`)))).toEqual([
      ['deleted', null, null, 'dev', null],
    ]);
    const file = { branch: 'main', content: 'x', commit_message: 'By file' };
    expect(await told(() => ok(dev.post(`${base}/repository/files/f.txt`, file)))).toEqual([
      ['pushed to', null, null, 'dev', null],
    ]);
    const asGuest = await code.guest.get<EventRecord[]>(`${base}/events?action=pushed`);
    expect(asGuest.body).toEqual([]);
  });
});
