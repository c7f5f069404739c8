import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { addProject } from '../../../../support/builders/instance.js';
import { readsDuring } from '../../../../support/watched-reads.js';

const PROJECTS = 40;

/** Many rows: users, merge requests approved by two of them each, and rules that name a user or a group. */
const MANY = `
  insert into users (username, name, email, confirmed_at) select 'many-' || n, n, n || '@many.test', now() from generate_series(1, 5000) n;
  insert into merge_requests (project_id, iid, author_id, title, source_project_id, source_branch, target_branch, head_sha, start_sha)
    select p.id, n, 1, 'm', p.id, 'b' || n, 'main', repeat('b', 40), repeat('a', 40) from projects p, generate_series(1, 125) n;
  insert into merge_request_approvals (merge_request_id, user_id)
    select m.id, u.id from merge_requests m join users u on u.username in ('many-' || (m.id % 5000 + 1), 'many-' || (m.id * 7 % 5000 + 1))
    on conflict do nothing;
  insert into approval_rules (project_id, name, approvals_required) select p.id, 'r' || n, 1 from projects p, generate_series(1, 50) n;
  insert into approval_rule_users (approval_rule_id, user_id)
    select r.id, u.id from approval_rules r join users u on u.username = 'many-' || (r.id % 5000 + 1)`;

describe('statements for approvals and approvers', () => {
  let api: TestApi;
  let client: pg.Client;
  let groupId: number;
  let projectId: number;
  let userId: number;

  beforeAll(async () => {
    api = await startApi();
    const group = await buildGroup(api);
    groupId = group.id;
    for (let count = 0; count < PROJECTS; count += 1)
      projectId = await addProject(api, groupId, `${group.full_path}/p${count}`);
    await api.sql(MANY);
    await api.sql(
      'insert into approval_rule_groups (approval_rule_id, group_id) select id, $1 from approval_rules',
      [groupId],
    );
    await api.sql('analyze');
    const [row] = await api.sql<{ id: number }>(`select id from users where username = 'many-3'`);
    userId = row?.id ?? 0;
    client = new pg.Client({ connectionString: api.databaseUrl, options: PLANNER_OPTIONS });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await api.close();
  });

  /** The plans of the statements of a request; the last joins of a page are only for the rows that it shows. */
  async function plansOf(path: string): Promise<string> {
    const reads = await readsDuring(api, async () => {
      expect([path, (await api.root.get(path)).status]).toEqual([path, 200]);
    });
    const plans: string[] = [];
    for (const { text, values } of reads) {
      const explained = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values]);
      plans.push(explained.rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    expect(plans.length).toBeGreaterThan(0);
    return plans.join('\n\n');
  }

  it.each([
    () => `/projects/${projectId}/approval_rules`,
    () => `/projects/${projectId}/merge_requests/7/approval_state`,
    () => `/projects/${projectId}/merge_requests/7/approvals`,
    () => `/projects/${projectId}/merge_requests?approved_by_ids[]=${userId}`,
    () => `/projects/${projectId}/merge_requests?approved_by_usernames[]=many-3`,
    () => `/projects/${projectId}/merge_requests?approver_ids[]=${userId}`,
    () => `/projects/${projectId}/merge_requests?approved=yes`,
    () => `/projects/${projectId}/merge_requests?approved=no&approved_by_ids=None`,
    () => `/groups/${groupId}/merge_requests?approved_by_ids[]=${userId}`,
    () => `/merge_requests?scope=all&approved_by_ids[]=${userId}`,
    () => `/merge_requests?scope=all&approved_by_usernames[]=MANY-3`,
  ])('use indexes: %s', async (path) => {
    const plans = await plansOf(path());
    expect(plans).not.toMatch(
      /Seq Scan on (users|merge_requests|merge_request_approvals|approval_rules own|approval_rule_users)\b/,
    );
  });

  it('find the approvals of two users and the requirements of rules by index', async () => {
    const both = await api.sql<{ id: number; users: number[] }>(
      `select merge_request_id as id, array_agg(user_id) as users from merge_request_approvals group by 1 having count(*) = 2
       order by 1 desc limit 1`,
    );
    const [{ id, users } = { id: 0, users: [] }] = both;
    const query = users.map((user) => `&approved_by_ids[]=${user}`).join('');
    const approved = await api.root.get<{ id: number }[]>(`/merge_requests?scope=all${query}`);
    expect(approved.body.map((one) => one.id)).toContain(id);
    expect(Number(approved.headers.get('x-total'))).toBeLessThan(5);
    const [rule] = await api.sql<{ project_id: number; user_id: number }>(
      'select r.project_id, ru.user_id from approval_rules r join approval_rule_users ru on ru.approval_rule_id = r.id limit 1',
    );
    const asked = await api.root.get(`/merge_requests?scope=all&approver_ids[]=${rule?.user_id ?? 0}`);
    expect(asked.headers.get('x-total')).toBe('125');
  });
});
