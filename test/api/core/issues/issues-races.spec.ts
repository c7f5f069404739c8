import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import type { TestApi } from '../../../support/api.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

let api: TestApi;
let team: ProjectTeam;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  await api.root.put('/application/settings', { issues_create_limit: 0 });
  team = await buildProjectTeam(api);
  path = `/projects/${team.projectId}/issues`;
});
afterAll(() => api.close());

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

it('fifty simultaneous new issues get fifty numbers without a gap', async () => {
  const made = await times(50, (index) =>
    buildIssue(team.reporter, team.projectId, { labels: `common,own-${index % 5}` }),
  );
  const iids = made.map(({ iid }) => iid).sort((one, other) => one - other);
  expect(iids).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  const labels = await api.sql<{ title: string }>('select title from labels where project_id = $1', [
    team.projectId,
  ]);
  expect(labels).toHaveLength(6);
  expect((await api.root.get(`/projects/${team.projectId}`)).body['open_issues_count']).toBe(50);
});

it('a requested number is given to only one of several simultaneous requests', async () => {
  const answers = await times(8, () => api.root.post(path, { title: 'x', iid: 900 }));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
});

it('a user who is blocked while a new issue waits for them is not assigned', async () => {
  const { id } = (await team.developer.get<{ id: number }>('/user')).body;
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  try {
    for (const [change, assignees] of [
      ['select 1', [id]],
      [`update users set state = 'blocked' where id = ${id}`, []],
    ] as const) {
      await client.query('begin');
      await client.query('select 1 from users where id = $1 for update', [id]);
      const asked = buildIssue(team.reporter, team.projectId, { assignee_ids: [id] });
      const isWaiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => (await api.sql(isWaiting)).length > 0);
      await client.query(change);
      await client.query('commit');
      expect((await asked).assignees.map((one) => one.id)).toEqual(assignees);
    }
  } finally {
    await client.end();
    await api.sql(`update users set state = 'active' where id = $1`, [id]);
  }
});

it('every one of several simultaneous changes of an issue is kept', async () => {
  const { iid } = await buildIssue(team.reporter, team.projectId);
  const answers = await times(30, (index) => {
    if (index % 3 === 0) return team.reporter.put(`${path}/${iid}`, { add_labels: `l${index}` });
    if (index % 3 === 1) return team.reporter.post(`${path}/${iid}/notes`, { body: `note ${index}` });
    return team.reporter.put(`${path}/${iid}`, { state_event: index % 2 === 0 ? 'close' : 'reopen' });
  });
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  const { body } = await team.reporter.get<BuiltIssue & { user_notes_count: number }>(`${path}/${iid}`);
  expect([body.labels.length, body.user_notes_count]).toEqual([10, 10]);
  const [counted] = await api.sql<{ right: boolean }>(
    `select c.open_count = (select count(*) from issues i where i.project_id = $1 and i.state = 'opened') as right
     from internal_ids c where c.project_id = $1 and c.usage = 'issues'`,
    [team.projectId],
  );
  expect(counted).toEqual({ right: true });
});

it('simultaneous ordering, closing and moving of issues does not fail by a deadlock', async () => {
  const other = await buildProjectTeam(api);
  const issues = await times(10, () => buildIssue(api.root, team.projectId));
  const first = issues[0]?.id;
  const answers = await times(30, (index) => {
    const iid = issues[index % 10]?.iid ?? 0;
    if (index < 10) return api.root.put(`${path}/${iid}`, { state_event: 'close' });
    if (index < 20)
      return api.root.put(
        `${path}/${iid}/reorder`,
        iid === issues[0]?.iid ? { move_after_id: issues[1]?.id } : { move_after_id: first },
      );
    return api.root.post(`${path}/${iid}/move`, { to_project_id: other.projectId });
  });
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  const moved = await api.root.get<BuiltIssue[]>(`/projects/${other.projectId}/issues`);
  expect(moved.body.map(({ iid }) => iid).sort((one, two) => one - two)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
});
