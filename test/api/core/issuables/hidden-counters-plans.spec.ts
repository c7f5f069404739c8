import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { insertIssues } from '../../../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { readsDuring } from '../../../support/watched-reads.js';

const PROJECTS = 200;
const ISSUES = 5_000;

describe('counters per reader', () => {
  let api: TestApi;
  let client: pg.Client;
  let team: ProjectTeam;
  let secret: ProjectTeam;

  beforeAll(async () => {
    api = await startApi();
    team = await buildProjectTeam(api, 'public');
    secret = await buildProjectTeam(api);
    await insertIssues(api, team.projectId, ISSUES);
    const statements = [
      `insert into projects (namespace_id, name, path, full_path, full_name, visibility)
       select 1, 'q' || n, 'q' || n, 'root/q' || n, 'q' || n, 'public' from generate_series(1, ${PROJECTS}) n`,
      `insert into issues (project_id, iid, title, confidential) select p.id, 100000 + n, 'x', true from projects p, generate_series(1, 50) n`,
      `update issues set confidential = true where project_id = $1 and iid % 5 = 0`,
      `insert into notes (noteable_type, noteable_id, project_id, discussion_id, body, internal)
       select 'Issue', i.id, i.project_id, 'd', 'x', n = 1 and i.iid % 3 = 0 from issues i, generate_series(1, 8) n where i.project_id = $1`,
      `insert into merge_requests (project_id, iid, title, source_branch, target_branch)
       select p, n, 'x', 'a', 'main' from unnest(array[$1::bigint, $2]) p, generate_series(1, 2000) n`,
      `insert into merge_requests_closing_issues (merge_request_id, issue_id, by_text, by_commits)
       select m.id, i.id, true, false from merge_requests m join issues i on i.project_id = $1 and i.iid % 2000 = m.iid % 2000`,
      `update projects set default_branch = 'main' where id in ($1, $2)`,
    ];
    for (const text of statements)
      await api.sql(
        text,
        [team.projectId, secret.projectId].slice(0, text.includes('$2') ? 2 : text.includes('$1') ? 1 : 0),
      );
    await api.sql('analyze');
    client = new pg.Client({ connectionString: api.databaseUrl, options: PLANNER_OPTIONS });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await api.close();
  });

  /** Returns the plans of the statements of a request that contain `of`. */
  async function plansOf(path: string, of: string): Promise<string> {
    const calls = await readsDuring(api, async () => {
      expect((await secret.guest.get(path)).status).toBe(200);
    });
    const plans: string[] = [];
    for (const { text, values } of calls.filter((call) => call.text.includes(of))) {
      await client.query(`prepare list as ${text}`);
      const given = values.map((value) =>
        value === null
          ? 'null'
          : Array.isArray(value)
            ? `'{${value.join(',')}}'`
            : pg.escapeLiteral(String(value as string | number | boolean)),
      );
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain execute list(${given.join(', ')})`,
      );
      await client.query('deallocate list');
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans.join('\n');
  }

  it('of open issues use an index of open confidential issues', async () => {
    for (const path of ['/projects?per_page=100', '/users/root/projects?per_page=100']) {
      const plan = await plansOf(path, 'as open_issues_count');
      expect(plan).toMatch(/using issues_open_confidential on issues s/);
      expect(plan).not.toMatch(/Seq Scan on issues/);
    }
  });

  it('of notes and merge requests use the indexes of each issue', async () => {
    for (const path of [
      `/projects/${team.projectId}/issues?per_page=100`,
      `/projects/${team.projectId}/issues?per_page=100&page=5`,
      '/issues?scope=all&per_page=100',
    ]) {
      const plan = await plansOf(path, 'as user_notes_count');
      expect(plan).toMatch(/using notes_internal on notes xn/);
      expect(plan).toMatch(/using merge_requests_closing_issues_issue/);
      expect(plan).not.toMatch(/Seq Scan on (notes|issues|merge_requests)/);
    }
  });
});
