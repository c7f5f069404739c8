import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildIssue } from '../../../../support/builders/issue.js';
import { buildProject } from '../../../../support/builders/project.js';
import { untilBlocking, untilIdle } from '../../../../support/lock-waits.js';
import { MergeWorld } from '../../../../support/merge-world.js';
import { until } from '../../../../support/until.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.root.put('/application/settings', { issues_create_limit: 0 });
});
afterAll(() => api.close());

type Work = () => Promise<{ readonly status: number }>;

/** References of objects to groups that are not their ancestors. */
const LEFT = `select 'label of an issue' as what from issue_labels k join issues t on t.id = k.issue_id join labels l on l.id = k.label_id
    join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id where not l.group_id = any(n.traversal_ids)
  union all select 'label of a merge request' from merge_request_labels k join merge_requests t on t.id = k.merge_request_id
    join labels l on l.id = k.label_id join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id
    where not l.group_id = any(n.traversal_ids)
  union all select 'milestone' from (select project_id, milestone_id from issues union all select project_id, milestone_id from merge_requests) t
    join milestones ms on ms.id = t.milestone_id join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id
    where not ms.group_id = any(n.traversal_ids)
  union all select 'epic of an issue' from epic_issues x join epics e on e.id = x.epic_id join issues i on i.id = x.issue_id
    join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id where not e.group_id = any(n.traversal_ids)
  union all select 'label of an epic' from epic_labels k join epics e on e.id = k.epic_id join labels l on l.id = k.label_id
    join namespaces n on n.id = e.group_id where not l.group_id = any(n.traversal_ids)
  union all select 'epic above another' from epics e join epics above on above.id = e.parent_id join namespaces n on n.id = e.group_id
    where not above.group_id = any(n.traversal_ids)`;

const WAITING = `select count(*)::int as count from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
  and wait_event_type = 'Lock'`;

const waiting = async (): Promise<number> => (await api.sql<{ count: number }>(WAITING))[0]?.count ?? 0;

/**
 * Starts a write that is paused before it writes a table, then a transfer, and continues both; returns their
 * statuses.
 */
async function stoppedAt(table: string, write: Work, transfer: Work): Promise<number[]> {
  await untilIdle(api);
  const runner = api.app.get(DataSource).createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(`lock table ${table} in share mode`);
    const written = write();
    await untilBlocking(api, runner);
    let hasEnded = false;
    const moved = transfer().finally(() => {
      hasEnded = true;
    });
    await until(async () => hasEnded || (await waiting()) >= 2);
    await runner.commitTransaction();
    return (await Promise.all([written, moved])).map(({ status }) => status);
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

/**
 * A private group with a label, a milestone and an epic, a subgroup, and a project in that; the same again in
 * a neighboring project.
 */
interface Place {
  readonly top: number;
  readonly group: number;
  readonly project: number;
  readonly issue: { readonly id: number; readonly iid: number };
  readonly milestone: number;
  readonly epic: { readonly id: number; readonly iid: number };
  /** Epic of the inner group. */
  readonly inner: { readonly id: number; readonly iid: number };
  readonly own: { readonly label: number; readonly milestone: number };
  /** An issue of another project, planned with objects of the outer group. */
  readonly planned: string;
}

type Numbered = Place['epic'];

const made = async (path: string, body: object): Promise<Numbered> => {
  const answer = await api.root.post<Numbered>(path, body);
  expect(answer.status).toBe(201);
  return answer.body;
};

async function place(): Promise<Place> {
  const { id: top } = await buildGroup(api, { visibility: 'private' });
  const { id: group } = await buildGroup(api, { visibility: 'private', parent_id: top });
  const { id: project } = await buildProject(api.root, { namespace_id: group });
  const { id: beside } = await buildProject(api.root, { namespace_id: top });
  await made(`/groups/${top}/labels`, { name: 'ours', color: '#ff0000' });
  const { id: milestone } = await made(`/groups/${top}/milestones`, { title: 'next' });
  const epic = await made(`/groups/${top}/epics`, { title: 'Secret plan' });
  const inner = await made(`/groups/${group}/epics`, { title: 'Part of it' });
  const own = {
    label: (await made(`/projects/${project}/labels`, { name: 'own', color: '#00ff00' })).id,
    milestone: (await made(`/projects/${project}/milestones`, { title: 'own' })).id,
  };
  const issue = await buildIssue(api.root, project, { labels: 'own', milestone_id: own.milestone });
  const other = await buildIssue(api.root, beside, {
    labels: 'ours',
    milestone_id: milestone,
    epic_id: epic.id,
  });
  const planned = `/projects/${beside}/issues/${other.iid}`;
  return { top, group, project, issue, milestone, epic, inner, own, planned };
}

const issueOf = ({ project, issue }: Place): string => `/projects/${project}/issues/${issue.iid}`;
const issuesOf = ({ project }: Place): string => `/projects/${project}/issues`;

/** Planning actions, with the table that each writes after it has found the objects it names. */
type Plan = readonly [what: string, table: string, write: (at: Place) => ReturnType<Work>];

const IN_PROJECTS: readonly Plan[] = [
  [
    'a new issue with a label',
    'internal_ids',
    (at) => api.root.post(issuesOf(at), { title: 'New', labels: 'ours' }),
  ],
  [
    'a new issue with a milestone',
    'internal_ids',
    (at) => api.root.post(issuesOf(at), { title: 'New', milestone_id: at.milestone }),
  ],
  [
    'a new issue in an epic',
    'notes',
    (at) => api.root.post(issuesOf(at), { title: 'New', epic_id: at.epic.id }),
  ],
  ['a label', 'issue_labels', (at) => api.root.put(issueOf(at), { add_labels: 'ours' })],
  [
    'a milestone',
    'resource_milestone_events',
    (at) => api.root.put(issueOf(at), { milestone_id: at.milestone }),
  ],
  ['an epic', 'notes', (at) => api.root.put(issueOf(at), { epic_id: at.epic.id })],
  [
    'an issue of an epic',
    'notes',
    (at) => api.root.post(`/groups/${at.top}/epics/${at.epic.iid}/issues/${at.issue.id}`),
  ],
  [
    'an issue that is moved',
    'internal_ids',
    (at) => api.root.post(`${at.planned}/move`, { to_project_id: at.project }),
  ],
  [
    'an issue that is copied',
    'internal_ids',
    (at) => api.root.post(`${at.planned}/clone`, { to_project_id: at.project }),
  ],
  [
    'a label that is promoted',
    'label_priorities',
    (at) => api.root.put(`/projects/${at.project}/labels/${at.own.label}/promote`),
  ],
  [
    'a milestone that is promoted',
    'group_internal_ids',
    (at) => api.root.post(`/projects/${at.project}/milestones/${at.own.milestone}/promote`),
  ],
];

const IN_GROUPS: readonly Plan[] = [
  ...IN_PROJECTS.filter(([what]) => !what.includes('promoted')),
  [
    'a new epic with a label',
    'group_internal_ids',
    (at) => api.root.post(`/groups/${at.group}/epics`, { title: 'New', labels: 'ours' }),
  ],
  [
    'a label of an epic',
    'epic_labels',
    (at) => api.root.put(`/groups/${at.group}/epics/${at.inner.iid}`, { add_labels: 'ours' }),
  ],
  [
    'an epic below another',
    'notes',
    (at) => api.root.post(`/groups/${at.top}/epics/${at.epic.iid}/epics/${at.inner.id}`),
  ],
];

/** Not found: the move was faster than reading what was written for the response. */
const isDone = (status: number): boolean => status < 300 || status === 404;

describe('planning during a move out of a group', () => {
  it.each(IN_PROJECTS)('leaves no reference to it in a project: %s', async (_, table, write) => {
    const at = await place();
    const { id: elsewhere } = await buildGroup(api, { visibility: 'private' });
    const transfer: Work = () => api.root.put(`/projects/${at.project}/transfer`, { namespace: elsewhere });
    const statuses = await stoppedAt(table, () => write(at), transfer);
    expect(statuses.filter((status) => !isDone(status))).toEqual([]);
    expect(await api.sql(LEFT)).toEqual([]);
  });

  it.each(IN_GROUPS)('leaves no reference to it in a group: %s', async (_, table, write) => {
    const at = await place();
    const statuses = await stoppedAt(
      table,
      () => write(at),
      () => api.root.post(`/groups/${at.group}/transfer`),
    );
    expect(statuses.filter((status) => !isDone(status))).toEqual([]);
    expect(await api.sql(LEFT)).toEqual([]);
  });

  it('leaves no reference to it on a merge request', async () => {
    const world = await MergeWorld.build(api);
    const { id: group } = await buildGroup(api, { visibility: 'private' });
    const { id: elsewhere } = await buildGroup(api, { visibility: 'private' });
    const move = (namespace: number): ReturnType<Work> =>
      api.root.put(`${world.base}/transfer`, { namespace });
    expect((await move(group)).status).toBe(200);
    await made(`/groups/${group}/labels`, { name: 'ours', color: '#ff0000' });
    const { iid } = await world.open('planned');
    const label: Work = () => api.root.put(`${world.base}/merge_requests/${iid}`, { add_labels: 'ours' });
    expect(await stoppedAt('merge_request_labels', label, () => move(elsewhere))).toEqual([200, 200]);
    expect(await api.sql(LEFT)).toEqual([]);
  });
});
