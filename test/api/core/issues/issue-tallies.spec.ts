import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FoldTalliesProcessor } from '#core/issuables/tallies/fold-tallies.processor.js';
import { consistencyChecks } from '../../../../src/cli/doctor/doctor-checks.js';
import type { TestApi } from '../../../support/api.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let group: number;
let projects: number[];
let milestone: number;
let person: CreatedUser;
let client: ApiClient;

const CHECK = consistencyChecks.find(({ check }) => check.startsWith('tallies of issues'))?.sql ?? '';

beforeAll(async () => {
  api = await borrowApi();
  await api.root.put('/application/settings', { issues_create_limit: 0 });
  group = (await buildGroup(api)).id;
  projects = [];
  for (let count = 0; count < 3; count += 1)
    projects.push((await buildProject(api.root, { namespace_id: group })).id);
  person = await createUser(api);
  client = person.client;
  await api.root.post(`/groups/${group}/members`, { user_id: person.id, access_level: 30 });
  await api.root.post(`/groups/${group}/labels`, { name: 'shared', color: '#ff0000' });
  const made = await api.root.post<{ id: number }>(`/groups/${group}/milestones`, { title: 'next' });
  milestone = made.body.id;
});
afterAll(() => api.close());

const fold = (): Promise<void> =>
  api.app
    .get(FoldTalliesProcessor, { strict: false })
    .process({}, { signal: new AbortController().signal } as never);

/** The lists that are counted by tallies, each read by pages of one and completely. */
async function expectTotals(): Promise<void> {
  const of = `/projects/${projects[0] ?? 0}/issues`;
  const paths = [
    '/issues?scope=created_by_me',
    '/issues?scope=assigned_to_me',
    `/issues?scope=all&assignee_id=${person.id}`,
    ...[of, `/groups/${group}/issues`].flatMap((list) => [
      `${list}?labels=shared`,
      `${list}?labels=bug`,
      `${list}?milestone=next`,
      `${list}?assignee_id=${person.id}`,
    ]),
  ];
  const differing: string[] = [];
  for (const path of paths.flatMap((all) => [all, `${all}&state=opened`])) {
    const [one, all] = await Promise.all([
      client.get<BuiltIssue[]>(`${path}&per_page=1`),
      client.get<BuiltIssue[]>(`${path}&per_page=100`),
    ]);
    if (one.headers.get('x-total') !== String(all.body.length))
      differing.push(`${path}: ${one.headers.get('x-total')} of ${all.body.length}`);
  }
  expect(differing).toEqual([]);
  expect(await api.sql(CHECK)).toEqual([]);
}

const times = (count: number, work: (index: number) => Promise<unknown>): Promise<unknown[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const at = (index: number): number => projects[index % projects.length] ?? 0;

it('counts the issues of users, labels and milestones during simultaneous changes and folding', async () => {
  await times(30, (index) =>
    buildIssue(client, at(index), {
      labels: ['shared', 'bug', 'shared,bug', ''][index % 4],
      assignee_ids: index % 2 === 0 ? [person.id, 1] : [],
      milestone_id: index % 3 === 0 ? milestone : null,
    }),
  );
  await expectTotals();
  const changes = [
    { remove_labels: 'shared' },
    { add_labels: 'bug,shared' },
    { assignee_ids: [person.id] },
    { assignee_ids: 0 },
    { milestone_id: milestone },
    { milestone_id: 0 },
    { state_event: 'close' },
    { state_event: 'reopen' },
  ];
  const answers = await times(60, (index) =>
    index % 15 === 7
      ? fold()
      : client
          .put(`/projects/${at(index)}/issues/${1 + (index % 9)}`, changes[index % changes.length])
          .then(({ status }) => expect(status).toBe(200)),
  );
  expect(answers).toHaveLength(60);
  await expectTotals();
  await times(3, fold);
  await expectTotals();
  const loose = await api.sql(
    `select 1 from issue_tallies group by kind, subject_id, project_id having count(*) > 1 or bool_or(not folded)`,
  );
  expect(loose).toEqual([]);
});

it('counts correctly with two labels of the same title, and after issues are moved and removed', async () => {
  const [from = 0, to = 0] = projects;
  await api.root.post(`/projects/${from}/labels`, { name: 'double', color: '#00ff00' });
  await buildIssue(client, from, { labels: 'double' });
  await api.root.post(`/groups/${group}/labels`, { name: 'double', color: '#00ff00' });
  await buildIssue(client, to, { labels: 'double' });
  await api.sql(
    `insert into issue_labels (issue_id, label_id) select i.id, l.id from issues i, labels l
     where i.project_id = $1 and i.iid <= 3 and l.group_id = $2 and l.title = 'double'`,
    [from, group],
  );
  for (const list of [`/projects/${from}/issues`, `/groups/${group}/issues`]) {
    const one = await client.get(`${list}?labels=double&per_page=1`);
    const all = await client.get<BuiltIssue[]>(`${list}?labels=double&per_page=100`);
    expect(one.headers.get('x-total')).toBe(String(all.body.length));
  }
  const moved = await api.root.post(`/projects/${from}/issues/1/move`, { to_project_id: to });
  const removed = await api.root.delete(`/projects/${from}/issues/2`);
  expect([moved.status, removed.status]).toEqual([201, 204]);
  await expectTotals();
});

it('keeps no tallies of removed objects', async () => {
  const author = await createUser(api);
  await api.root.post(`/groups/${group}/members`, { user_id: author.id, access_level: 20 });
  await buildIssue(author.client, at(0), { assignee_ids: [author.id] });
  await api.sql('delete from labels');
  await api.sql('delete from milestones');
  await api.sql('delete from users where id = $1', [author.id]);
  await api.sql('delete from projects where id = $1', [at(2)]);
  await fold();
  expect(await api.sql(CHECK)).toEqual([]);
  expect(
    await api.sql(
      `select kind from issue_tallies where kind in ('label', 'milestone') or subject_id = $1 or project_id = $2`,
      [author.id, at(2)],
    ),
  ).toEqual([]);
  projects.pop();
  await expectTotals();
});

it('counts correctly for a user who can read only some of the issues', async () => {
  await api.sql(`update projects set archived = true where id = $1`, [at(1)]);
  await expectTotals();
  await api.root.delete(`/groups/${group}/members/${person.id}`);
  const own = await client.get<BuiltIssue[]>('/issues?per_page=1');
  expect([own.headers.get('x-total'), own.body]).toEqual(['0', []]);
});
