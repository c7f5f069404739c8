import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildEpicWorld, type BuiltEpic, type EpicWorld } from '../../../support/builders/epic-world.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildMergeRequestRow } from '../../../support/builders/merge-request-row.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import type { ApiClient } from '../../../support/client.js';
import { resourceEventsOf, type ShownResourceEvent } from '../../../support/resource-events.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let team: ProjectTeam;

beforeAll(async () => {
  api = await borrowApi();
  team = await buildProjectTeam(api);
});
afterAll(() => api.close());

const milestone = async (title: string, project = team.projectId): Promise<number> =>
  (await api.root.post<{ id: number }>(`/projects/${project}/milestones`, { title })).body.id;
const labels = (client: ApiClient, path: string): Promise<unknown[]> =>
  resourceEventsOf(client, path, 'label');
const milestones = (client: ApiClient, path: string): Promise<unknown[]> =>
  resourceEventsOf(client, path, 'milestone');
const states = (client: ApiClient, path: string): Promise<unknown[]> =>
  resourceEventsOf(client, path, 'state');

describe('events of an issue', () => {
  it('are stored with the user from the first label on, however the labels are changed', async () => {
    for (const name of ['bug', 'slow', 'done'])
      await api.root.post(`/projects/${team.projectId}/labels`, { name, color: '#ff0000' });
    const issue = await buildIssue(team.guest, team.projectId, { labels: 'bug,slow' });
    const path = `/projects/${team.projectId}/issues/${issue.iid}`;
    await team.reporter.put(path, { labels: 'bug,new' });
    await team.reporter.put(path, { add_labels: 'bug', remove_labels: 'unknown' });
    await team.developer.post(`${path}/notes`, { body: '/unlabel ~bug\n/label ~done' });
    expect(await labels(team.guest, path)).toEqual([
      ['add', 'bug'],
      ['add', 'slow'],
      ['add', 'new'],
      ['remove', 'slow'],
      ['add', 'done'],
      ['remove', 'bug'],
    ]);
    const list = await team.guest.get<ShownResourceEvent[]>(
      `${path}/resource_label_events?per_page=4&page=2`,
    );
    expect([list.headers.get('x-total'), list.headers.get('x-total-pages')]).toEqual(['6', '2']);
    const [event] = list.body;
    const developer = (await team.developer.get('/user')).body['id'];
    expect(event).toEqual({
      id: expect.any(Number),
      user: expect.objectContaining({ id: developer }),
      created_at: expect.any(String),
      resource_type: 'Issue',
      resource_id: issue.id,
      label: expect.objectContaining({ name: 'done', text_color: expect.any(String) }),
      action: 'add',
    });
    const one = await team.guest.get(`${path}/resource_label_events/${String(event?.id)}`);
    expect([one.status, one.body]).toEqual([200, event]);
  });

  it('of milestones store a replacement as an addition; a removed milestone has no name', async () => {
    const [first, second] = [await milestone('v1'), await milestone('v2')];
    const { iid } = await buildIssue(team.developer, team.projectId, { milestone_id: first });
    const path = `/projects/${team.projectId}/issues/${iid}`;
    await team.reporter.put(path, { milestone_id: first });
    await team.reporter.put(path, { milestone_id: second, state_event: 'close' });
    await team.reporter.put(path, { milestone_id: 0 });
    await team.reporter.post(`${path}/notes`, { body: '/milestone %v1' });
    const removed = await api.root.delete(`/projects/${team.projectId}/milestones/${first}`);
    expect(removed.status).toBe(204);
    expect(await milestones(team.guest, path)).toEqual([
      ['add', null, 'opened'],
      ['add', 'v2', 'opened'],
      ['remove', 'v2', 'closed'],
      ['add', null, 'closed'],
      ['remove', null, 'closed'],
    ]);
    const { body } = await team.guest.get<ShownResourceEvent[]>(`${path}/resource_milestone_events`);
    expect(body.map(({ user }) => user?.id).at(-1)).toBe(1);
  });

  it('of states do not include the first state; removed labels have no name', async () => {
    const { iid } = await buildIssue(team.developer, team.projectId, { labels: 'short-lived' });
    const path = `/projects/${team.projectId}/issues/${iid}`;
    expect(await states(team.guest, path)).toEqual([]);
    await team.reporter.put(path, { state_event: 'close' });
    await team.reporter.put(path, { state_event: 'close' });
    await team.reporter.post(`${path}/notes`, { body: '/reopen' });
    const { iid: original } = await buildIssue(team.developer, team.projectId);
    await team.reporter.post(`${path}/notes`, { body: `/duplicate #${original}` });
    expect(await states(team.guest, path)).toEqual(['closed', 'reopened', 'closed']);
    expect((await team.guest.get<object[]>(`${path}/resource_state_events`)).body[0]).toMatchObject({
      source_commit: null,
      source_merge_request_id: null,
    });
    await api.root.delete(`/projects/${team.projectId}/labels/short-lived`);
    expect(await labels(team.guest, path)).toEqual([['add', null]]);
    await api.root.delete(path);
    expect(await api.sql('select 1 from resource_state_events where issue_id is null')).toEqual([]);
  });

  it('are copied when the issue moves, with the labels and milestones of the target, and end with the move in the source', async () => {
    const other = await buildProjectTeam(api);
    await api.root.post(`/projects/${other.projectId}/labels`, { name: 'kept', color: '#ff0000' });
    await milestone('kept', other.projectId);
    const { iid } = await buildIssue(api.root, team.projectId, {
      labels: 'kept,only-here',
      milestone_id: await milestone('kept'),
    });
    const path = `/projects/${team.projectId}/issues/${iid}`;
    await api.root.put(path, { state_event: 'close' });
    await api.root.put(path, { state_event: 'reopen' });
    const moved = await api.root.post<{ iid: number }>(`${path}/move`, { to_project_id: other.projectId });
    const there = `/projects/${other.projectId}/issues/${moved.body.iid}`;
    expect(await labels(api.root, there)).toEqual([
      ['add', 'kept'],
      ['add', 'only-here'],
    ]);
    // The label belongs to a project that the guest cannot see.
    expect(await labels(other.guest, there)).toEqual([['add', 'kept']]);
    const hidden = (await api.root.get<ShownResourceEvent[]>(`${there}/resource_label_events`)).body[1]?.id;
    const refused = await other.guest.get(`${there}/resource_label_events/${String(hidden)}`);
    expect([refused.status, refused.body]).toEqual([404, { message: '404 ResourceLabelEvent Not Found' }]);
    expect(await milestones(other.guest, there)).toEqual([['add', 'kept', 'opened']]);
    expect(await states(other.guest, there)).toEqual(['closed', 'reopened']);
    expect(await states(team.guest, path)).toEqual(['closed', 'reopened', 'closed']);
    const copies = { plain: { with_notes: false }, full: { with_notes: true } };
    const count = async (values: object): Promise<number> => {
      const copy = await api.root.post<{ iid: number }>(`${path}/clone`, {
        to_project_id: team.projectId,
        ...values,
      });
      return (await labels(api.root, `/projects/${team.projectId}/issues/${copy.body.iid}`)).length;
    };
    expect([await count(copies.plain), await count(copies.full)]).toEqual([0, 2]);
  });
});

describe('events of states', () => {
  it('tell a copy in another project nothing of the commit and merge request that closed the original', async () => {
    const other = await buildProjectTeam(api);
    const { id, iid } = await buildIssue(api.root, team.projectId);
    const path = `/projects/${team.projectId}/issues/${iid}`;
    await api.root.put(path, { state_event: 'close' });
    const closing = await buildMergeRequestRow(api, team.projectId, {
      sourceBranch: 'closing',
      state: 'merged',
    });
    const sha = 'c'.repeat(40);
    await api.sql(
      'update resource_state_events set source_merge_request_id = $2, source_commit = $3 where issue_id = $1',
      [id, closing.id, sha],
    );
    const clone = async (projectId: number): Promise<unknown> => {
      const values = { to_project_id: projectId, with_notes: true };
      const copy = await api.root.post<{ iid: number }>(`${path}/clone`, values);
      const events = `/projects/${projectId}/issues/${copy.body.iid}/resource_state_events`;
      return (await api.root.get<object[]>(events)).body;
    };
    const known = { source_commit: sha, source_merge_request_id: closing.id };
    expect(await clone(team.projectId)).toMatchObject([{ state: 'closed', ...known }]);
    const unknown = { source_commit: null, source_merge_request_id: null };
    expect(await clone(other.projectId)).toMatchObject([{ state: 'closed', ...unknown }]);
  });
});

describe('labels and milestones of groups', () => {
  it('appear in events if the group is a parent or visible, and follow a promotion', async () => {
    const group = await buildGroup(api, { visibility: 'private' });
    const elsewhere = await buildGroup(api, { visibility: 'private' });
    const { id: projectId } = await buildProject(api.root, { namespace_id: group.id });
    const { guest: member } = await buildProjectTeam(api);
    const { id: memberId } = (await member.get<{ id: number }>('/user')).body;
    await api.root.post(`/projects/${projectId}/members`, { user_id: memberId, access_level: 20 });
    await api.root.post(`/groups/${group.id}/labels`, { name: 'of-group', color: '#ff0000' });
    const shared = await api.root.post<{ id: number }>(`/groups/${group.id}/milestones`, { title: 'shared' });
    const { iid } = await buildIssue(api.root, projectId, {
      labels: 'of-group,own',
      milestone_id: shared.body.id,
    });
    const path = `/projects/${projectId}/issues/${iid}`;
    const all = [
      ['add', 'of-group'],
      ['add', 'own'],
    ];
    expect(await labels(member, path)).toEqual(all);
    expect(await milestones(member, path)).toEqual([['add', 'shared', 'opened']]);

    const [label] = (await api.root.get<{ id: number }[]>(`/projects/${projectId}/labels?search=own`)).body;
    const own = await milestone('own', projectId);
    await api.root.put(path, { milestone_id: own });
    await api.root.put(`/projects/${projectId}/labels/${String(label?.id)}/promote`);
    await api.root.post(`/projects/${projectId}/milestones/${own}/promote`);
    expect(await labels(member, path)).toEqual(all);

    expect((await api.root.put(`/projects/${projectId}/transfer`, { namespace: elsewhere.id })).status).toBe(
      200,
    );
    expect(await labels(member, path)).toEqual([]);
    expect(await milestones(member, path)).toEqual([]);
    expect(await labels(api.root, path)).toEqual(all);
    expect(await milestones(api.root, path)).toEqual([
      ['add', 'shared', 'opened'],
      ['add', 'own', 'opened'],
    ]);
    const total = await member.get(`${path}/resource_label_events`);
    expect(total.headers.get('x-total')).toBe('0');
  });
});

describe('events of an epic', () => {
  let world: EpicWorld;
  beforeAll(async () => {
    world = await buildEpicWorld(api);
  });

  it('are found by its id, without milestones', async () => {
    const epics = `/groups/${world.group.id}/epics`;
    const made = await world.reporter.post<BuiltEpic>(epics, { title: 'Big', labels: 'one' });
    const { id, iid } = made.body;
    await world.reporter.put(`${epics}/${iid}`, {
      add_labels: 'two',
      remove_labels: 'one',
      state_event: 'close',
    });
    await world.reporter.put(`${epics}/${iid}`, { state_event: 'reopen' });
    const path = `${epics}/${id}`;
    expect(await labels(world.guest, path)).toEqual([
      ['add', 'one'],
      ['add', 'two'],
      ['remove', 'one'],
    ]);
    expect(await states(world.guest, `/groups/${world.group.id}/-/epics/${id}`)).toEqual([
      'closed',
      'reopened',
    ]);
    expect((await world.guest.get<object[]>(`${path}/resource_state_events`)).body[0]).toMatchObject({
      resource_type: 'Epic',
      resource_id: id,
    });
    expect((await world.guest.get(`${path}/resource_milestone_events`)).status).toBe(404);
    expect((await world.stranger.get(`${path}/resource_label_events`)).status).toBe(404);
    await world.reporter.put(`${epics}/${iid}`, { confidential: true });
    expect((await world.guest.get(`${path}/resource_label_events`)).status).toBe(404);
  });
});

describe('a caller who cannot read the object', () => {
  it('cannot read its events, not even through another object', async () => {
    const secret = await buildIssue(team.reporter, team.projectId, { confidential: true, labels: 'a' });
    const open = await buildIssue(team.reporter, team.projectId, { labels: 'b' });
    const at = (iid: number): string => `/projects/${team.projectId}/issues/${iid}/resource_label_events`;
    const [event] = (await team.reporter.get<ShownResourceEvent[]>(at(secret.iid))).body;
    const status = async (client: ApiClient, path: string): Promise<number> =>
      (await client.get(path)).status;
    expect(await status(team.guest, at(secret.iid))).toBe(404);
    expect(await status(team.stranger, at(open.iid))).toBe(404);
    expect(await status(api.anonymous, at(open.iid))).toBe(401);
    expect(await status(team.reporter, `${at(open.iid)}/${String(event?.id)}`)).toBe(404);
    expect(await status(team.reporter, `${at(open.iid)}/99999999999999999999`)).toBe(400);
    expect(await status(team.reporter, `${at(open.iid)}/x`)).toBe(400);
    const apart = await buildProjectTeam(api, 'public');
    const { iid } = await buildIssue(apart.reporter, apart.projectId, { labels: 'b' });
    const shown = `/projects/${apart.projectId}/issues/${iid}/resource_label_events`;
    expect([await status(apart.stranger, shown), await status(api.anonymous, shown)]).toEqual([200, 401]);
    expect(await status(apart.stranger, `${shown}/${String(event?.id)}`)).toBe(404);
  });
});
