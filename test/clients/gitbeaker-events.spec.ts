import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkingCopy } from '../support/git.js';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

/** This client sends its argument as `search_params[group_path]`: the path is also given as an option. */

describe('activity events and group analytics through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let guest: ClientUser;
  let work: WorkingCopy;
  let projectId: number;
  let push: (...refs: string[]) => Promise<unknown>;

  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    guest = await world.user('guest');
    const { id: namespaceId } = await world.root.Groups.create('Shop', 'shop');
    projectId = (await world.root.Projects.create({ name: 'Web', namespaceId })).id;
    await world.root.ProjectMembers.add(projectId, AccessLevel.MAINTAINER, { userId: jane.id });
    await world.root.ProjectMembers.add(projectId, AccessLevel.GUEST, { userId: guest.id });
    await world.root.GroupMembers.add(namespaceId, AccessLevel.REPORTER, { userId: jane.id });
    work = await new WorkingCopy().init();
    const url = world.product.url.replace('http://', `http://jane:${jane.token}@`);
    push = (...refs) => work.git('push', '--quiet', `${url}/shop/web.git`, ...refs);
  });
  afterAll(async () => {
    work.remove();
    await world.close();
  });

  /** Pushes of the project, oldest first. */
  const pushes = async (): Promise<Record<string, unknown>[]> => {
    const events = await jane.api.Events.all({ projectId, action: 'pushed', sort: 'asc' });
    return events.map(({ action_name, push_data }) => ({ action_name, ...(push_data as object) }));
  };

  it('reports pushes by ref, or many refs together', async () => {
    const first = await work.commit({ 'a.txt': 'a' }, 'First');
    await push('main');
    await work.commit({ 'b.txt': 'b' });
    const second = await work.commit({ 'c.txt': 'c' }, `${'long '.repeat(30)}\n\nmore`);
    await push('main');
    for (const name of ['one', 'two', 'three', 'four', 'five']) await work.git('branch', name);
    await work.git('tag', 'v1');
    await push('one', 'two', 'three');
    await push('four', 'v1');
    await push(':one', ':two', ':three', ':four');
    const of = (ref: string | null, more: object): object => ({ ref, ref_type: 'branch', ...more });
    const created = { action: 'created', action_name: 'pushed new', commit_from: null, ref_count: null };
    const found = await pushes();
    expect(found.slice(0, 2)).toEqual([
      of('main', { ...created, commit_to: first, commit_count: 1, commit_title: 'First' }),
      of('main', {
        action: 'pushed',
        action_name: 'pushed to',
        commit_from: first,
        commit_to: second,
        commit_count: 2,
        commit_title: expect.stringMatching(/^.{67}\.\.\.$/),
        ref_count: null,
      }),
    ]);
    expect(found.slice(2, 5)).toMatchObject(['one', 'two', 'three'].map((ref) => of(ref, created)));
    expect(found.slice(5, 7)).toMatchObject([
      of('four', created),
      { ...created, ref: 'v1', ref_type: 'tag', commit_to: second },
    ]);
    expect(found.slice(7)).toEqual([
      of(null, {
        action: 'removed',
        action_name: 'deleted',
        commit_from: null,
        commit_to: null,
        commit_count: 0,
        commit_title: null,
        ref_count: 4,
      }),
    ]);
    expect(await guest.api.Events.all({ projectId, action: 'pushed' })).toEqual([]);
    expect(await guest.api.Events.all({ userId: jane.id, action: 'pushed' })).toEqual([]);
  });

  it('reports commits made through the API, and wiki pages', async () => {
    await jane.api.RepositoryFiles.create(projectId, 'd.txt', 'main', 'd', 'Add d');
    expect((await pushes()).at(-1)).toMatchObject({ ref: 'main', commit_count: 1, commit_title: 'Add d' });
    await jane.api.ProjectWikis.create(projectId, 'text', 'Home page', { format: 'org' });
    await jane.api.ProjectWikis.edit(projectId, 'Home-page', { content: 'other' });
    await jane.api.ProjectWikis.remove(projectId, 'Home-page');
    const options = { projectId, targetType: 'wiki' as never, sort: 'asc' as const };
    const pages = await guest.api.Events.all(options);
    expect(pages.map(({ action_name: action }) => action)).toEqual(['created', 'updated', 'destroyed']);
    expect(pages[0]).toMatchObject({
      target_title: 'Home page',
      target_type: 'WikiPage::Meta',
      wiki_page: { format: 'org', slug: 'Home-page', title: 'Home page' },
    });
  });

  it('lists events according to the rights of the caller, by page and by keyset', async () => {
    const own = await jane.api.Events.all({ perPage: 100 });
    expect(own.at(-1)).toMatchObject({ action_name: 'joined', author_username: 'jane' });
    expect(await world.root.Events.all({ userId: 'jane' })).toEqual(own);
    const walked = await jane.api.Events.all({
      pagination: 'keyset',
      orderBy: 'id',
      sort: 'desc',
      perPage: 4,
    } as never);
    expect(walked).toEqual(own);
    const all = await jane.api.Events.all({ scope: 'all', perPage: 100 });
    expect(all.length).toBeGreaterThan(own.length);
    expect(await guest.api.Events.all({ projectId, targetType: 'project' })).toMatchObject([
      { action_name: 'created', author_username: 'root' },
    ]);
    expect(await refusal(jane.api.Events.all({ userId: 'nobody' }))).toEqual([404, '404 User Not Found']);
  });

  it('counts recent activity in a group', async () => {
    const { GroupActivityAnalytics: analytics } = jane.api;
    expect(await analytics.showNewMembersCount('shop')).toEqual({ new_members_count: 2 });
    expect(await analytics.showIssuesCount('shop')).toEqual({ issues_count: 0 });
    expect(await analytics.showMergeRequestsCount('shop')).toEqual({ merge_requests_count: 0 });
    const hidden = guest.api.GroupActivityAnalytics.showIssuesCount('shop');
    expect(await refusal(hidden)).toEqual([404, '404 Group Not Found']);
  });

  it('reports issues, their comments and closings', async () => {
    const issue = await jane.api.Issues.create(projectId, 'Broken');
    await jane.api.IssueNotes.create(projectId, issue.iid, 'Indeed');
    await jane.api.Issues.edit(projectId, issue.iid, { stateEvent: 'close' });
    await jane.api.Issues.edit(projectId, issue.iid, { stateEvent: 'reopen', labels: 'bug' });
    await jane.api.Issues.create(projectId, 'Secret', { confidential: true });
    const events = await jane.api.Events.all({ projectId, perPage: 5, maxPages: 1 });
    expect(events.map(({ action_name, target_title }) => [action_name, target_title])).toEqual([
      ['opened', 'Secret'],
      ['opened', 'Broken'],
      ['closed', 'Broken'],
      ['commented on', 'Broken'],
      ['opened', 'Broken'],
    ]);
    expect(events[3]).toMatchObject({
      target_type: 'Note',
      note: { body: 'Indeed', noteable_iid: issue.iid, noteable_type: 'Issue', author: { username: 'jane' } },
    });
    const [seen] = await guest.api.Events.all({ projectId, targetType: 'issue', perPage: 1, maxPages: 1 });
    expect(seen?.target_title).toBe('Broken');
    expect(await jane.api.GroupActivityAnalytics.showIssuesCount('shop')).toEqual({ issues_count: 2 });
    await world.root.Issues.remove(projectId, issue.iid);
    const left = await jane.api.Events.all({ projectId, targetType: 'issue' });
    expect(left.map(({ target_title }) => target_title)).toEqual(['Secret', null, null, null]);
  });
});
