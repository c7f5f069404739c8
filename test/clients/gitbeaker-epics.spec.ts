import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('epics and group activity through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let projectId: number;
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    const { id: namespaceId } = await world.root.Groups.create('Shop', 'shop', { visibility: 'private' });
    projectId = (await world.root.Projects.create({ name: 'Web', namespaceId })).id;
    await world.root.GroupMembers.add(namespaceId, AccessLevel.REPORTER, { userId: jane.id });
  });
  afterAll(() => world.close());

  it('creates, changes, lists and removes epics, and comments on them', async () => {
    const { Epics, EpicNotes } = jane.api;
    const made = await Epics.create('shop', 'Sell abroad', { labels: 'big', startDateFixed: '2026-01-02' });
    expect(made).toMatchObject({ iid: 1, state: 'opened', labels: ['big'], closed_at: null });
    expect(await Epics.show('shop', 1)).toEqual(made);
    expect(await Epics.edit('shop', 1, { stateEvent: 'close' })).toMatchObject({ state: 'closed' });
    expect((await Epics.all('shop', { state: 'closed' })).map(({ title }) => title)).toEqual(['Sell abroad']);
    const note = await EpicNotes.create('shop', made.id, 'Where to first?');
    expect(note).toMatchObject({ noteable_type: 'Epic', noteable_id: made.id });
    const notes = await EpicNotes.all('shop', made.id, { sort: 'asc' });
    expect(notes.map(({ body, system }) => [body, system])).toEqual([
      ['closed', true],
      ['Where to first?', false],
    ]);
    const { EpicDiscussions } = jane.api;
    const begun = await EpicDiscussions.create('shop', made.id, 'Which currency?');
    const [first] = begun.notes ?? [];
    await EpicDiscussions.editNote('shop', made.id, begun.id, first?.id ?? 0, { body: 'Which currencies?' });
    expect((await EpicDiscussions.all('shop', made.id)).map(({ notes: all }) => all?.[0]?.body)).toContain(
      'Which currencies?',
    );
    const child = await Epics.create('shop', 'Sell nearby', { parentId: made.id });
    expect(child).toMatchObject({ parent_id: made.id, parent_iid: made.iid });
    expect(await refusal(Epics.remove('shop', 1))).toEqual([403, '403 Forbidden']);
    await world.root.Epics.remove('shop', 1);
    expect(await refusal(Epics.show('shop', 1))).toEqual([404, '404 Epic Not Found']);
  });

  it('adds issues to epics, orders and removes them', async () => {
    const { Epics, EpicIssues, Issues } = jane.api;
    const { iid } = await Epics.create('shop', 'Sell online');
    const { iid: other } = await Epics.create('shop', 'Sell to shops');
    const issues = [await Issues.create(projectId, 'Pay'), await Issues.create(projectId, 'Ship')] as const;
    const link = await EpicIssues.assign('shop', iid, issues[0].id);
    expect(link).toMatchObject({ epic: { iid }, issue: { id: issues[0].id, epic_iid: iid } });
    const second = await EpicIssues.assign('shop', iid, issues[1].id);
    expect(await refusal(EpicIssues.assign('shop', iid, issues[1].id))).toEqual([
      409,
      'Issue(s) already assigned',
    ]);
    const order = async (): Promise<string[]> =>
      (await EpicIssues.all('shop', iid, { perPage: 1 })).map(({ title }) => title);
    expect(await order()).toEqual(['Ship', 'Pay']);
    await EpicIssues.edit('shop', iid, link.id, { moveAfterId: second.id });
    expect(await order()).toEqual(['Pay', 'Ship']);
    expect(await EpicIssues.assign('shop', other, issues[0].id)).toMatchObject({ id: link.id });
    expect(await order()).toEqual(['Ship']);
    await EpicIssues.remove('shop', iid, second.id);
    expect(await order()).toEqual([]);
  });

  it('counts recent activity in a group', async () => {
    const { GroupActivityAnalytics } = jane.api;
    expect(await GroupActivityAnalytics.showIssuesCount('shop')).toEqual({ issues_count: 2 });
    expect(await GroupActivityAnalytics.showMergeRequestsCount('shop')).toEqual({ merge_requests_count: 0 });
    expect(await refusal(GroupActivityAnalytics.showIssuesCount('none'))).toEqual([
      404,
      '404 Group Not Found',
    ]);
  });
});
