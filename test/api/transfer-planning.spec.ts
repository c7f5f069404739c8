import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Portable } from '#core/transfer/relation-export.js';
import { startApi, type TestApi } from '../support/api.js';
import { buildGroup } from '../support/builders/group.js';
import { buildIssue, type BuiltIssue } from '../support/builders/issue.js';
import { buildMember } from '../support/builders/member.js';
import { buildProject } from '../support/builders/project.js';
import { createUser, type CreatedUser } from '../support/builders/user.js';
import {
  exportRecords,
  handmadeTarget,
  importRecords,
  type HandmadeTarget,
  type TargetValues,
} from '../support/transfer-target.js';

/** A group with a project in it. */
interface Place {
  readonly group: number;
  readonly project: number;
}

/** What cannot be the same in another place. */
const OWN = new Set([
  'id',
  'project_id',
  'group_id',
  'noteable_id',
  'awardable_id',
  'web_url',
  'web_edit_url',
  '_links',
  'references',
  'url',
  'epic_issue_id',
  'resource_id',
]);

const portable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, one: unknown) => (OWN.has(name) ? undefined : one));

describe('planning that is brought to another place', () => {
  let api: TestApi;
  let alice: CreatedUser;
  let bob: CreatedUser;
  let from: Place;
  let to: Place;
  let users: ReadonlyMap<number, number>;

  const place = async (): Promise<Place> => {
    const { id: group } = await buildGroup(api, { visibility: 'private' });
    const { id: project } = await buildProject(api.root, { namespace_id: group });
    await buildMember(api, `groups/${group}`, alice.id, 40);
    await buildMember(api, `groups/${group}`, bob.id, 20);
    return { group, project };
  };
  const target = (of: Portable, values: Partial<TargetValues> = {}): HandmadeTarget =>
    handmadeTarget({ of, ownerId: to[of], users, ...values });
  const bring = async (
    of: Portable,
    relation: string,
    values: Partial<TargetValues> = {},
    records: HandmadeTarget['records'] = new Map(),
  ): Promise<HandmadeTarget> => {
    const there = target(of, values);
    for (const [name, known] of records) there.records.set(name, known);
    await importRecords(api, there, relation, await exportRecords(api, of, relation, from[of]));
    return there;
  };
  const same = async (pathOf: (place: Place) => string, client = api.root): Promise<unknown[]> => {
    const [one, other] = await Promise.all([
      client.get<unknown[]>(pathOf(from)),
      client.get<unknown[]>(pathOf(to)),
    ]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(portable(other.body)).toEqual(portable(one.body));
    return one.body;
  };
  /** Rows of both places, without what names them. */
  const sameRows = async (sql: (id: string) => string, of: Portable = 'project'): Promise<void> => {
    const rows = async (one: Place): Promise<object[]> => api.sql<object>(sql('$1'), [one[of]]);
    const ours = await rows(from);
    expect(ours.length).toBeGreaterThan(0);
    expect(await rows(to)).toEqual(ours);
  };

  /** What has been told of what happened there. */
  const told = (): Promise<object[]> =>
    api.sql('select count(*) from events where project_id = $1 or group_id = $2', [to.project, to.group]);

  beforeAll(async () => {
    api = await startApi();
    alice = await createUser(api);
    bob = await createUser(api);
    users = new Map([1, alice.id, bob.id].map((id) => [id, id]));
    from = await place();
    to = await place();
  });
  afterAll(() => api.close());

  it('takes labels with their colours, priorities and subscriptions', async () => {
    const { group, project } = from;
    await api.root.post(`/groups/${group}/labels`, { name: 'team', color: 'red', description: 'Ours' });
    await api.root.post(`/projects/${project}/labels`, { name: 'bug', color: '#abc', priority: 3 });
    await api.root.post(`/projects/${project}/labels`, { name: 'later', color: '#123456' });
    await alice.client.post(`/projects/${project}/labels/bug/subscribe`);
    await alice.client.post(`/groups/${group}/labels/team/subscribe`);
    await bring('group', 'labels');
    await bring('project', 'labels');
    expect(await same((p) => `/projects/${p.project}/labels?with_counts=true`, alice.client)).toHaveLength(3);
    expect(await same((p) => `/groups/${p.group}/labels`, alice.client)).toHaveLength(1);
    await sameRows(
      (id) =>
        `select title, color, description, created_at, updated_at from labels where project_id = ${id} order by title`,
    );
  });

  it('takes milestones with their numbers, and goes on counting behind them', async () => {
    const { group, project } = from;
    await api.root.post(`/groups/${group}/milestones`, { title: 'All', due_date: '2026-02-03' });
    for (const title of ['gone', 'One', 'Two'])
      await api.root.post(`/projects/${project}/milestones`, { title, start_date: '2026-01-02' });
    const [, one, gone] = (await api.root.get<{ id: number }[]>(`/projects/${project}/milestones`)).body;
    await api.root.put(`/projects/${project}/milestones/${one?.id}`, { state_event: 'close' });
    await api.root.delete(`/projects/${project}/milestones/${gone?.id}`);
    await bring('group', 'milestones');
    await bring('project', 'milestones');
    expect(await same((p) => `/projects/${p.project}/milestones`)).toHaveLength(2);
    expect(await same((p) => `/groups/${p.group}/milestones`)).toHaveLength(1);
    const answer = await api.root.post<{ iid: number }>(`/projects/${to.project}/milestones`, {
      title: 'New',
    });
    expect(answer.body.iid).toBe(4);
    await sameRows(
      (
        id,
      ) => `select live_count - (select count(*) from milestones m where m.project_id = i.project_id) as wrong
        from internal_ids i where usage = 'milestones' and project_id = ${id}`,
    );
  });

  it('takes epics, issues and all that hangs on them as if they had been written there', async () => {
    await fill();
    const before = await told();
    const epics = await bring('group', 'epics');
    const issues = await bring('project', 'issues', {}, epics.records);
    expect(issues.problems).toEqual([]);
    expect(await told()).toEqual(before);
    const found = (await same((p) => `/projects/${p.project}/issues?sort=asc&per_page=100`)) as BuiltIssue[];
    expect(found.map(({ iid }) => iid)).toEqual([1, 2, 4]);
    for (const { iid } of found) {
      const at = (p: Place): string => `/projects/${p.project}/issues/${iid}`;
      for (const client of [api.root, bob.client]) await same(at, client);
      for (const part of ['notes?sort=asc&order_by=id', 'award_emoji', 'participants', 'time_stats'])
        await same((p) => `${at(p)}/${part}`);
      await same((p) => `${at(p)}/discussions`);
      for (const kind of ['label', 'milestone', 'state'])
        await same((p) => `${at(p)}/resource_${kind}_events`, bob.client);
    }
    await same((p) => `/groups/${p.group}/epics?sort=asc`, alice.client);
    await same((p) => `/groups/${p.group}/epics/1`, alice.client);
    await same((p) => `/groups/${p.group}/epics/1/issues`);
    const notesOf = async (p: Place): Promise<string> => {
      const { body } = await api.root.get<{ id: number }>(`/groups/${p.group}/epics/1`);
      return `/groups/${p.group}/epics/${body.id}/notes`;
    };
    const [one, other] = [await notesOf(from), await notesOf(to)];
    await same((p) => (p === from ? one : other));
  });

  it('leaves the same rows behind', async () => {
    await sameRows(
      (id) =>
        `select to_jsonb(i) - '{id,project_id,milestone_id,moved_to_id}'::text[] as row from issues i where project_id = ${id} order by iid`,
    );
    await sameRows(
      (id) =>
        `select to_jsonb(e) - '{id,group_id}'::text[] as row from epics e where group_id = ${id} order by iid`,
      'group',
    );
    await sameRows(
      (id) =>
        `select to_jsonb(n) - '{id,noteable_id,project_id,discussion_id}'::text[] as row from notes n join issues i on i.id = n.noteable_id
          where n.project_id = ${id} and n.noteable_type = 'Issue' order by i.iid, n.id`,
    );
    await sameRows(
      (id) =>
        `select to_jsonb(n) - '{id,noteable_id,group_id,discussion_id}'::text[] as row from notes n join epics e on e.id = n.noteable_id
          where n.group_id = ${id} order by e.iid, n.id`,
      'group',
    );
    await sameRows(
      (id) =>
        `select i.iid, x.user_id, l.title, x.action, x.created_at from resource_label_events x join issues i on i.id = x.issue_id
          join labels l on l.id = x.label_id where i.project_id = ${id} order by i.iid, x.id`,
    );
    await sameRows(
      (id) =>
        `select i.iid, x.user_id, s.title, x.action, x.state, x.created_at from resource_milestone_events x join issues i on i.id = x.issue_id
          join milestones s on s.id = x.milestone_id where i.project_id = ${id} order by i.iid, x.id`,
    );
    await sameRows(
      (
        id,
      ) => `select i.iid, m.user_id, n.body from mentions m join issues i on i.id = m.target_id and m.target_type = 'Issue'
        left join notes n on n.id = m.note_id where i.project_id = ${id} order by i.iid, m.user_id, n.body`,
    );
    await sameRows(
      (
        id,
      ) => `select i.iid, s.user_id, s.subscribed, s.created_at from subscriptions s join issues i on i.id = s.target_id
        and s.target_type = 'Issue' where i.project_id = ${id} order by 1, 2`,
    );
    await sameRows(
      (
        id,
      ) => `select i.iid, t.user_id, t.seconds, t.summary, t.spent_at, t.created_at from timelogs t join issues i on i.id = t.target_id
        and t.target_type = 'Issue' where i.project_id = ${id} order by t.id`,
    );
    await sameRows(
      (
        id,
      ) => `select i.iid, l.title, k.created_at from issue_labels k join issues i on i.id = k.issue_id join labels l on l.id = k.label_id
        where i.project_id = ${id} order by 1, 2`,
    );
    await sameRows(
      (id) =>
        `select i.iid, a.user_id, a.created_at from issue_assignees a join issues i on i.id = a.issue_id where i.project_id = ${id} order by 1, 2`,
    );
    await sameRows(
      (id) =>
        `select last_value, live_count, open_count from internal_ids where usage = 'issues' and project_id = ${id}`,
    );
  });

  it('goes on counting behind the largest number', async () => {
    expect((await buildIssue(api.root, to.project)).iid).toBe(5);
  });

  /** A world in which everything is once. */
  async function fill(): Promise<void> {
    const { group, project } = from;
    const at = (iid: number, rest = ''): string => `/projects/${project}/issues/${iid}${rest}`;
    const epics = `/groups/${group}/epics`;
    const epic = await alice.client.post<{ id: number }>(epics, {
      title: 'Sell abroad',
      description: `With @${bob.username}\n- [ ] customs`,
      labels: 'team',
      confidential: false,
      start_date_fixed: '2026-01-01',
      start_date_is_fixed: true,
      due_date_fixed: '2026-03-01',
    });
    await alice.client.post(epics, { title: 'Hidden', confidential: true });
    await alice.client.put(`${epics}/2`, { state_event: 'close' });
    await bob.client.post(`${epics}/${epic.body.id}/notes`, { body: 'Where to?' });
    const { body: milestones } = await api.root.get<{ id: number; title: string }[]>(
      `/projects/${project}/milestones?include_ancestors=true`,
    );
    const milestone = (title: string): number | undefined =>
      milestones.find((one) => one.title === title)?.id;
    await buildIssue(alice.client, project, {
      title: 'First, with everything',
      description: `Ask @${bob.username} and @all\n- [x] done\n- [ ] open`,
      labels: 'bug,team',
      milestone_id: milestone('One'),
      assignee_ids: [bob.id, 1],
      due_date: '2026-05-06',
      weight: 5,
      health_status: 'at_risk',
      discussion_locked: true,
      epic_id: epic.body.id,
    });
    await buildIssue(bob.client, project, { confidential: true, milestone_id: milestone('All') });
    const third = await buildIssue(api.root, project);
    const last = await buildIssue(api.root, project, {
      issue_type: 'incident',
      labels: 'later',
      epic_id: epic.body.id,
    });
    await api.root.delete(at(third.iid));
    await api.root.put(at(4), { state_event: 'close', title: 'An incident' });
    expect((await api.root.put(at(1, '/reorder'), { move_after_id: last.id })).status).toBe(200);
    const note = await alice.client.post<{ id: number }>(at(1, '/notes'), {
      body: `Hear, @${alice.username}`,
    });
    await bob.client.post(at(1, `/notes/${note.body.id}/award_emoji`), { name: 'thumbsdown' });
    await bob.client.post(at(1, '/notes'), { body: 'Between us', internal: true });
    const talk = await bob.client.post<{ id: string }>(at(1, '/discussions'), { body: 'Is it so?' });
    await alice.client.post(at(1, `/discussions/${talk.body.id}/notes`), { body: 'It is.' });
    await alice.client.post(at(1, '/award_emoji'), { name: 'thumbsup' });
    await bob.client.post(at(1, '/award_emoji'), { name: 'tada' });
    await alice.client.post(at(1, '/time_estimate'), { duration: '3h' });
    await alice.client.post(at(1, '/add_spent_time'), { duration: '1h', summary: 'Read' });
    await alice.client.post(at(1, '/add_spent_time'), { duration: '-10m' });
    await alice.client.post(at(4, '/subscribe'));
    await bob.client.post(at(1, '/unsubscribe'));
  }
});
