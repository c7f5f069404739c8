import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildIssue, type BuiltIssue } from '../../../../support/builders/issue.js';
import { fillIssues, fillLabels, fillMilestones } from '../../../../support/filled-planning.js';
import { PlanningTwins, type Place } from '../../../../support/planning-twins.js';
import { borrowApi } from '../../../../support/shared-api.js';

/** Rows that must be the same in both containers, `$1`. */
const ROWS = [
  [
    'issues',
    'project',
    `select to_jsonb(i) - '{id,project_id,milestone_id,moved_to_id}'::text[] as row from issues i where project_id = $1 order by iid`,
  ],
  [
    'epics',
    'group',
    `select to_jsonb(e) - '{id,group_id}'::text[] as row from epics e where group_id = $1 order by iid`,
  ],
  [
    'notes of issues',
    'project',
    `select to_jsonb(n) - '{id,noteable_id,project_id,discussion_id}'::text[] as row from notes n join issues i on i.id = n.noteable_id
          where n.project_id = $1 and n.noteable_type = 'Issue' order by i.iid, n.id`,
  ],
  [
    'notes of epics',
    'group',
    `select to_jsonb(n) - '{id,noteable_id,group_id,discussion_id}'::text[] as row from notes n join epics e on e.id = n.noteable_id
          where n.group_id = $1 order by e.iid, n.id`,
  ],
  [
    'label events',
    'project',
    `select i.iid, x.user_id, l.title, x.action, x.created_at from resource_label_events x join issues i on i.id = x.issue_id
          join labels l on l.id = x.label_id where i.project_id = $1 order by i.iid, x.id`,
  ],
  [
    'milestone events',
    'project',
    `select i.iid, x.user_id, s.title, x.action, x.state, x.created_at from resource_milestone_events x join issues i on i.id = x.issue_id
          join milestones s on s.id = x.milestone_id where i.project_id = $1 order by i.iid, x.id`,
  ],
  [
    'mentions',
    'project',
    `select i.iid, m.user_id, n.body from mentions m join issues i on i.id = m.target_id and m.target_type = 'Issue'
        left join notes n on n.id = m.note_id where i.project_id = $1 order by i.iid, m.user_id, n.body`,
  ],
  [
    'subscriptions',
    'project',
    `select i.iid, s.user_id, s.subscribed, s.created_at from subscriptions s join issues i on i.id = s.target_id
        and s.target_type = 'Issue' where i.project_id = $1 order by 1, 2`,
  ],
  [
    'time logs',
    'project',
    `select i.iid, t.user_id, t.seconds, t.summary, t.spent_at, t.created_at from timelogs t join issues i on i.id = t.target_id
        and t.target_type = 'Issue' where i.project_id = $1 order by t.id`,
  ],
  [
    'labels of issues',
    'project',
    `select i.iid, l.title, k.created_at from issue_labels k join issues i on i.id = k.issue_id join labels l on l.id = k.label_id
        where i.project_id = $1 order by 1, 2`,
  ],
  [
    'assignees',
    'project',
    `select i.iid, a.user_id, a.created_at from issue_assignees a join issues i on i.id = a.issue_id where i.project_id = $1 order by 1, 2`,
  ],
  [
    'counters of issues',
    'project',
    `select last_value, live_count, open_count from internal_ids where usage = 'issues' and project_id = $1`,
  ],
] as const;

describe('imported epics and issues', () => {
  let api: TestApi;
  let twins: PlanningTwins;
  beforeAll(async () => {
    api = await borrowApi();
    twins = await PlanningTwins.build(api);
    await fillLabels(api, twins);
    await fillMilestones(api, twins);
    for (const kind of ['group', 'project'] as const)
      for (const relation of ['labels', 'milestones']) await twins.bring(kind, relation);
    await fillIssues(api, twins);
  });
  afterAll(() => api.close());

  it('are written with everything that belongs to them, as if created here', async () => {
    const before = await twins.told();
    const epics = await twins.bring('group', 'epics');
    const issues = await twins.bring('project', 'issues', {}, epics.records);
    expect(issues.problems).toEqual([]);
    expect(await twins.told()).toEqual(before);
    const found = (await twins.same(
      (p) => `/projects/${p.project}/issues?sort=asc&per_page=100`,
    )) as BuiltIssue[];
    expect(found.map(({ iid }) => iid)).toEqual([1, 2, 4]);
    for (const { iid } of found) {
      const at = (p: Place): string => `/projects/${p.project}/issues/${iid}`;
      for (const client of [api.root, twins.bob.client]) await twins.same(at, client);
      for (const part of ['notes?sort=asc&order_by=id', 'award_emoji', 'participants', 'time_stats'])
        await twins.same((p) => `${at(p)}/${part}`);
      await twins.same((p) => `${at(p)}/discussions`);
      for (const kind of ['label', 'milestone', 'state'])
        await twins.same((p) => `${at(p)}/resource_${kind}_events`, twins.bob.client);
    }
    await twins.same((p) => `/groups/${p.group}/epics?sort=asc`, twins.alice.client);
    await twins.same((p) => `/groups/${p.group}/epics/1`, twins.alice.client);
    await twins.same((p) => `/groups/${p.group}/epics/1/issues`);
    const notesOf = async (p: Place): Promise<string> => {
      const { body } = await api.root.get<{ id: number }>(`/groups/${p.group}/epics/1`);
      return `/groups/${p.group}/epics/${body.id}/notes`;
    };
    const [one, other] = [await notesOf(twins.from), await notesOf(twins.to)];
    await twins.same((p) => (p === twins.from ? one : other));
  });

  it.each(ROWS)('have the same %s as the originals', async (_what, of, sql) => {
    await twins.sameRows(sql, of);
  });

  it('are numbered after the largest number', async () => {
    expect((await buildIssue(api.root, twins.to.project)).iid).toBe(5);
  });
});
