import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { insertIssues } from '../../../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { readsDuring } from '../../../support/watched-reads.js';

const ISSUES = 2_000;
/** Number of events per issue. */
const EVENTS = 20;

describe('query plans of lists of resource events', () => {
  let api: TestApi;
  let client: pg.Client;
  let team: ProjectTeam;

  beforeAll(async () => {
    api = await startApi();
    team = await buildProjectTeam(api);
    await insertIssues(api, team.projectId, ISSUES);
    await api.sql(
      `insert into labels (project_id, title, color) select $1, 'l' || n, '#123456' from generate_series(1, 10000) n`,
      [team.projectId],
    );
    await api.sql(
      `insert into milestones (project_id, iid, title) select $1, n, 'm' || n from generate_series(1, 10000) n`,
      [team.projectId],
    );
    for (const statement of [
      `insert into resource_label_events (issue_id, user_id, label_id, action) select i.id, 1, (i.iid * 5 + n) % 10000 + 1, 'add' from issues i, generate_series(1, $1::int) n`,
      `insert into resource_milestone_events (issue_id, user_id, milestone_id, action, state)
       select i.id, 1, (i.iid * 5 + n) % 10000 + 1, 'add', 'opened' from issues i, generate_series(1, $1::int) n`,
      `insert into resource_state_events (issue_id, user_id, state) select i.id, 1, 'closed' from issues i, generate_series(1, $1::int) n`,
    ])
      await api.sql(statement, [EVENTS]);
    await api.sql('analyze');
    client = new pg.Client({ connectionString: api.databaseUrl, options: PLANNER_OPTIONS });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await api.close();
  });

  /** Returns the statements of a request and their plans. */
  async function plansOf(path: string): Promise<string[]> {
    const calls = await readsDuring(api, async () => {
      const { status, headers } = await team.guest.get(path);
      expect([status, headers.get('x-total')]).toEqual([200, String(EVENTS)]);
    });
    const plans: string[] = [];
    for (const { text, values } of calls.filter((call) => call.text.includes(' x '))) {
      await client.query(`prepare list as ${text}`);
      const given = values.map((value) => pg.escapeLiteral(String(value))).join(', ');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute list(${given})`);
      await client.query('deallocate list');
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  }

  it.each(['label', 'milestone', 'state'])('for %s use an index, in two statements', async (kind) => {
    const plans = await plansOf(`/projects/${team.projectId}/issues/1000/resource_${kind}_events?per_page=5`);
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).toMatch(new RegExp(`using resource_${kind}_events_issue_id on resource_${kind}_events x`));
      expect(plan).not.toMatch(/Sort Key|Seq Scan on (resource|labels|milestones)/);
    }
  });
});
