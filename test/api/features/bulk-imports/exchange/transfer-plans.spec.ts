import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { ISSUES_PAGE } from '#core/issues/exchange/issue-json.sql.js';
import { EPICS_PAGE } from '#features/epics/exchange/epic-json.sql.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { insertIssues } from '../../../../support/builders/issue.js';
import { buildProject } from '../../../../support/builders/project.js';

const MANY = 3_000;

/** Thousands of rows in each table, so that reading a whole table is never cheaper. */
const FILL = [
  `insert into labels (project_id, title, color) select $1, 'l' || n, '#123456' from generate_series(1, ${MANY}) n`,
  `insert into milestones (project_id, iid, title) select $1, n, 'm' || n from generate_series(1, ${MANY}) n`,
  `update issues set milestone_id = (select min(id) from milestones) + iid - 1 where project_id = $1`,
  `insert into issue_labels (issue_id, label_id) select i.id, l.id from issues i join labels l on l.title = 'l' || i.iid where i.project_id = $1`,
  `insert into issue_assignees (issue_id, user_id) select id, 1 from issues where project_id = $1`,
  `insert into epics (group_id, iid, title) select namespace_id, n, 'e' || n from projects, generate_series(1, ${MANY}) n where id = $1`,
  `insert into epic_labels (epic_id, label_id) select e.id, l.id from epics e join labels l on l.title = 'l' || e.iid, projects p where p.id = $1`,
  `insert into epic_issues (epic_id, issue_id, relative_position) select e.id, i.id, 0 from issues i join epics e on e.iid = i.iid where i.project_id = $1`,
  `insert into issue_links (source_id, target_id, link_type) select i.id, o.id, 'blocks' from issues i join issues o on o.project_id = i.project_id and o.iid = i.iid + 1 where i.project_id = $1`,
  `update epics e set parent_id = p.id, relative_position = 0 from epics p where p.group_id = e.group_id and p.iid = (e.iid + 1) / 2 and e.iid > 1 and e.group_id = (select namespace_id from projects where id = $1)`,
  ...['issue', 'epic'].flatMap((issuable) => [
    `insert into resource_label_events (${issuable}_id, label_id, action) select k.${issuable}_id, k.label_id, 'add' from ${issuable}_labels k, projects p where p.id = $1`,
    `insert into resource_state_events (${issuable}_id, state) select k.${issuable}_id, 'closed' from ${issuable}_labels k, projects p where p.id = $1`,
  ]),
  `insert into resource_milestone_events (issue_id, milestone_id, action, state) select id, milestone_id, 'add', 'opened' from issues where project_id = $1`,
  `insert into timelogs (target_type, target_id, project_id, user_id, seconds) select 'Issue', id, $1, 1, 60 from issues where project_id = $1`,
  ...['Issue', 'Epic'].flatMap((type) => {
    const issuables = `from ${type === 'Issue' ? 'issues' : 'epics'} t, projects p where p.id = $1`;
    return [
      `insert into subscriptions (user_id, target_type, target_id, subscribed) select 1, '${type}', t.id, true ${issuables}`,
      `insert into award_emoji (name, user_id, awardable_type, awardable_id) select 'tada', 1, '${type}', t.id ${issuables}`,
      `insert into notes (noteable_type, noteable_id, author_id, discussion_id, body) select '${type}', t.id, 1, 'd' || t.id, 'Words' ${issuables}`,
    ];
  }),
  `insert into merge_requests (project_id, iid, author_id, title, source_project_id, source_branch, target_branch, state)
    select $1, n, 1, 'm' || n, $1, 'b' || n, 'main', 'closed' from generate_series(1, ${MANY}) n`,
  `insert into note_sources (note_id, target_type, target_id, source_type, source_id, is_mention)
    select n.id, n.noteable_type, n.noteable_id, 'MergeRequest', m.id, true from notes n join merge_requests m on m.iid = n.id % ${MANY} + 1, projects p where p.id = $1`,
  `insert into award_emoji (name, user_id, awardable_type, awardable_id) select 'tada', 1, 'Note', t.id from notes t, projects p where p.id = $1`,
];

describe('plans of exports for other instances', () => {
  let api: TestApi;
  let client: pg.Client;
  let owners: { project: number; group: number };

  beforeAll(async () => {
    api = await startApi();
    const { id: group } = await buildGroup(api);
    const { id: project } = await buildProject(api.root, { namespace_id: group });
    owners = { project, group };
    await insertIssues(api, project, MANY);
    for (const statement of FILL) await api.sql(statement, [project]);
    await api.sql('analyze');
    client = new pg.Client({ connectionString: api.databaseUrl, options: PLANNER_OPTIONS });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await api.close();
  });

  it.each([
    [
      'issues',
      'project',
      ISSUES_PAGE,
      /Seq Scan on (?!application_settings|users|namespaces|projects|members|group_links)/,
    ],
    [
      'epics',
      'group',
      EPICS_PAGE,
      /Seq Scan on (?!application_settings|users|namespaces|members|group_links|epics e$|epics e )/,
    ],
  ] as const)('of %s of a %s read all dependent rows through indexes', async (_name, of, text, whole) => {
    await client.query(`prepare page as ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain execute page(${owners[of]}, 0, 1000, 1)`,
    );
    await client.query('deallocate page');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(whole);
    expect(plan).toContain('notes_noteable');
  });
});
