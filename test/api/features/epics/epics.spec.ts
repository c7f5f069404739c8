import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { TestApi } from '../../../support/api.js';
import { buildEpicWorld, type BuiltEpic, type EpicWorld } from '../../../support/builders/epic-world.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser } from '../../../support/builders/instance.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { untilBlocking, untilIdle } from '../../../support/lock-waits.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('epics', () => {
  let api: TestApi;
  let world: EpicWorld;
  const at = (suffix: string | number = '', groupId = world.group.id): string =>
    `/groups/${groupId}/epics${suffix === '' ? '' : `/${suffix}`}`;
  const create = async (values: object = {}, client = world.reporter): Promise<BuiltEpic> =>
    (await client.post<BuiltEpic>(at(), { title: 'An epic', ...values })).body;
  const titles = async (query: string, client = world.reporter): Promise<string[]> =>
    (await client.get<BuiltEpic[]>(`${at()}${query}`)).body.map(({ title }) => title);

  beforeAll(async () => {
    api = await borrowApi();
    world = await buildEpicWorld(api);
  });
  afterAll(() => api.close());

  it('are created with labels and dates, read, changed, closed, reopened and removed', async () => {
    const { group, owner, reporter } = world;
    const answer = await reporter.post<BuiltEpic>(at(), {
      title: 'First',
      description: 'Words',
      labels: 'b,a',
      start_date: '2026-01-02',
      due_date_fixed: '2026-03-04',
      due_date_is_fixed: true,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      iid: 1,
      group_id: group.id,
      parent_id: null,
      title: 'First',
      labels: ['a', 'b'],
      start_date: '2026-01-02',
      start_date_is_fixed: true,
      due_date: '2026-03-04',
      end_date: '2026-03-04',
      state: 'opened',
      web_url: `http://forgeplane.test/groups/${group.full_path}/-/epics/1`,
      references: { short: '&1', relative: '&1', full: `${group.full_path}&1` },
      subscribed: true,
    });
    expect((await owner.get<BuiltEpic>(`/groups/${group.id}/-/epics/1`)).body.id).toBe(answer.body.id);

    const changed = await reporter.put<BuiltEpic>(at(1), {
      state_event: 'close',
      add_labels: 'c',
      remove_labels: 'a',
    });
    expect(changed.body).toMatchObject({
      state: 'closed',
      labels: ['b', 'c'],
      closed_at: expect.any(String) as unknown,
    });
    expect((await reporter.put(at(1), { state_event: 'reopen' })).body).toMatchObject({
      state: 'opened',
      closed_at: null,
    });
    const notes = await reporter.get<{ body: string; system: boolean }[]>(
      `/groups/${group.id}/epics/${answer.body.id}/notes?sort=asc`,
    );
    expect(notes.body.filter(({ system }) => system).map(({ body }) => body)).toEqual([
      'added ~c and removed ~a labels',
      'closed',
      'reopened',
    ]);

    expect((await reporter.delete(at(1))).status).toBe(403);
    expect(
      (await owner.delete(at(1), { 'If-Unmodified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' })).status,
    ).toBe(412);
    expect((await owner.delete(at(1))).status).toBe(204);
    expect((await owner.get(at(1))).body).toEqual({ message: '404 Epic Not Found' });
    expect((await create()).iid).toBe(2);
  });

  it('treat an empty description as missing, and report no change if it was missing before', async () => {
    const { group, reporter } = world;
    const made = await reporter.post<BuiltEpic>(at(), { title: 'Plain', description: '' });
    expect(made.body).toMatchObject({ description: null });
    const { id, iid } = made.body;
    expect((await reporter.put(at(iid), { description: '' })).body).toMatchObject({ description: null });
    expect((await reporter.get(`/groups/${group.id}/epics/${id}/notes`)).body).toEqual([]);
    expect((await world.owner.delete(at(iid))).status).toBe(204);
  });

  it('refuse invalid attributes, and unauthorized callers', async () => {
    const { group, guest, stranger, reporter } = world;
    expect((await reporter.post(at(), {})).body).toEqual({ message: '400 (Bad request) "title" not given' });
    expect((await reporter.post(at(), { title: ' ' })).body).toEqual({
      message: { title: ["can't be blank"] },
    });
    expect((await reporter.post(at(), { title: 'x'.repeat(256) })).status).toBe(400);
    expect((await reporter.post(at(), { title: '😀'.repeat(256) })).status).toBe(400);
    expect((await reporter.post(at(), { title: '😀'.repeat(255) })).status).toBe(201);
    const backwards = { title: 'x', start_date: '2026-02-02', end_date: '2026-02-01' };
    expect((await reporter.post(at(), backwards)).status).toBe(400);
    expect((await reporter.put(at(2), {})).status).toBe(400);
    expect((await guest.post(at(), { title: 'x' })).status).toBe(403);
    expect((await stranger.get(at())).body).toEqual({ message: '404 Group Not Found' });
    expect((await api.anonymous.get(at())).status).toBe(404);
    expect((await api.anonymous.post(at(), { title: 'x' })).status).toBe(401);
    await api.root.put('/application/settings', { license_plan: 'free' });
    expect((await reporter.get(at())).body).toEqual({ message: '403 Forbidden' });
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    const open = await buildGroup(api, { visibility: 'public' });
    expect((await api.anonymous.get(at('', open.id))).status).toBe(200);
    expect((await guest.get(`/groups/${group.id}/epics/x`)).status).toBe(400);
  });

  it('are hidden from callers below Reporter if confidential: in lists, individually and in notes', async () => {
    const { group, guest, reporter } = world;
    const { id, iid } = await create({ title: 'Secret', confidential: true });
    expect(await titles('?search=secret')).toEqual(['Secret']);
    expect(await titles('?search=secret', world.guest)).toEqual([]);
    expect((await guest.get(at(iid))).status).toBe(404);
    expect((await guest.get(`/groups/${group.id}/epics/${id}/notes`)).status).toBe(404);
    expect((await guest.post(`/groups/${group.id}/epics/${id}/notes`, { body: 'x' })).status).toBe(404);
    expect((await reporter.post(`/groups/${group.id}/epics/${id}/notes`, { body: 'x' })).status).toBe(201);
  });

  it('are hidden from callers without a role if confidential, also where issues and epics are added', async () => {
    const group = await buildGroup(api, { visibility: 'public' });
    await api.root.post(at('', group.id), { title: 'Secret', confidential: true });
    const { stranger } = world;
    for (const path of [at('1/issues/1', group.id), at('1/epics/1', group.id)]) {
      const answers = [stranger.post(path), stranger.put(path, {}), stranger.delete(path)];
      for (const { body } of await Promise.all(answers))
        expect(body).toEqual({ message: '404 Epic Not Found' });
    }
  });

  it('that become confidential keep their issues confidential, also those that change at that moment', async () => {
    const { projectId, reporter } = world;
    const { id } = await create({ title: 'Soon secret' });
    const issue = await buildIssue(reporter, projectId, { confidential: true, epic_id: id });
    await untilIdle(api);
    const runner = api.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query('update epics set confidential = true where id = $1', [id]);
      let hasEnded = false;
      const shown = reporter
        .put(`/projects/${projectId}/issues/${issue.iid}`, { confidential: false })
        .finally(() => {
          hasEnded = true;
        });
      await untilBlocking(api, runner, () => hasEnded);
      await runner.commitTransaction();
      expect((await shown).status).toBe(400);
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('are listed with filters and orders, also from ancestor groups and subgroups', async () => {
    const { group, owner, stranger } = world;
    const below = await buildGroup(api, { parent_id: group.id, visibility: 'private' });
    await owner.post(at('', below.id), { title: 'Below', labels: 'only' });
    const { iid } = await create({ title: 'Above', labels: 'only' });
    await world.reporter.put(at(iid), { state_event: 'close' });
    expect(await titles('?labels=only&order_by=title&sort=asc')).toEqual(['Above', 'Below']);
    expect(await titles('?labels=only&pagination=keyset&order_by=id&sort=asc')).toEqual(['Below', 'Above']);
    expect(await titles('?labels=only&include_descendant_groups=false')).toEqual(['Above']);
    expect(await titles('?labels=only&state=opened')).toEqual(['Below']);
    expect(await titles('?labels=only&not[author_id]=1&state=closed')).toEqual(['Above']);
    const fromBelow = await owner.get<BuiltEpic[]>(
      `${at('', below.id)}?include_ancestor_groups=true&labels=only`,
    );
    expect(fromBelow.body.map(({ title }) => title).sort()).toEqual(['Above', 'Below']);

    const top = await buildGroup(api, { visibility: 'public' });
    const hidden = await buildGroup(api, { parent_id: top.id, visibility: 'private' });
    await api.root.post(at('', top.id), { title: 'Open' });
    await api.root.post(at('', top.id), { title: 'Closed to them', confidential: true });
    await api.root.post(at('', hidden.id), { title: 'Hidden' });
    const seen = await stranger.get<BuiltEpic[]>(at('', top.id));
    expect(seen.body.map(({ title }) => title)).toEqual(['Open']);
    expect((await api.anonymous.get<BuiltEpic[]>(at('', top.id))).body).toHaveLength(1);
  });

  it('of a private subgroup are hidden from users with minimal access to the group above', async () => {
    const top = await buildGroup(api, { visibility: 'public' });
    const hidden = await buildGroup(api, { parent_id: top.id, visibility: 'private' });
    await api.root.post(at('', hidden.id), { title: 'Hidden' });
    const { id, token } = await addUser(api, 'hardly');
    await buildMember(api, `groups/${top.id}`, id, 5);
    const hardly = api.as(token);
    expect((await hardly.get(at('', hidden.id))).status).toBe(403);
    expect((await hardly.get(at('', top.id))).body).toEqual([]);
    expect((await hardly.get(`${at('', top.id)}?include_ancestor_groups=true`)).body).toEqual([]);
  });

  it('have the dates of the milestones of their issues unless their dates are fixed', async () => {
    const { projectId, owner, reporter } = world;
    const milestone = await owner.post<{ id: number }>(`/projects/${projectId}/milestones`, {
      title: 'Soon',
      start_date: '2026-05-01',
      due_date: '2026-06-30',
    });
    const { iid, id } = await create({ title: 'Long' });
    const issue = await buildIssue(reporter, projectId, { milestone_id: milestone.body.id, epic_id: id });
    const found = await reporter.get(at(iid));
    expect(found.body).toMatchObject({
      start_date: '2026-05-01',
      due_date: '2026-06-30',
      start_date_from_milestones: '2026-05-01',
    });
    expect((await world.guest.get(at(iid))).body).not.toHaveProperty('start_date_from_milestones');
    const shown = await reporter.get(`/projects/${projectId}/issues/${issue.iid}`);
    expect(shown.body).toMatchObject({ epic_iid: iid, epic: { id, iid, title: 'Long' } });
    await reporter.put(`/projects/${projectId}/issues/${issue.iid}`, { epic_id: 0 });
    expect((await reporter.get(at(iid))).body).toMatchObject({ start_date: null });
  });

  it('and children of epics are refused beyond the limit of issues per minute', async () => {
    const parent = await create();
    const { id, token } = await addUser(api, 'swift');
    await buildMember(api, `groups/${world.group.id}`, id, 30);
    await api.root.put('/application/settings', { issues_create_limit: 2 });
    const path = `${at(parent.iid)}/epics`;
    const statuses: number[] = [];
    for (const [to, title] of [
      [at(), 'One'],
      [path, 'Two'],
      [path, 'Three'],
      [at(), 'Four'],
    ] as const)
      statuses.push((await api.as(token).post(to, { title })).status);
    await api.root.put('/application/settings', { issues_create_limit: 300 });
    expect(statuses).toEqual([201, 201, 429, 429]);
  });
});
