import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role, Tier } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { ofMilestone } from '#core/issuables/lists/of-milestone.js';
import { IssueListQueries } from '#core/issues/lists/issue-list.queries.js';
import type { ListIssuesParams } from '#core/issues/lists/list-issues.params.js';
import { LabelsQueries } from '#core/labels/labels.queries.js';
import { MergeRequestListQueries } from '#core/merge-requests/lists/merge-request-list.queries.js';
import { MilestonesQueries } from '#core/milestones/milestones.queries.js';
import { EpicsQueries } from '#features/epics/epics.queries.js';
import { CrowdedTables, QUIET, type Knowledge, type OwnedRows } from '../../support/crowded-tables.js';
import { listLoadedBy } from '../../support/list-loaded-by.js';

/** Ids of what an owner has; the first project has the issues. */
const ID = '$1 * 10000 + n';
const PROJECT = QUIET * 10_000 + 1;

const ROWS: OwnedRows = {
  namespaces: `(id, type, name, path, full_path, full_name, traversal_ids, visibility) select case n when 1 then $1 else ${ID} end, 'Group', ${ID}, ${ID}, ${ID}, 'x', case n when 1 then array[$1] else array[$1, ${ID}] end, 'public'`,
  projects: `(id, namespace_id, name, path, full_path, full_name, visibility, repository_storage) select ${ID}, $1, 'x' || n, 'x' || n, 'x', 'x', 'public', 'default'`,
  issues: `(project_id, iid, title, milestone_id, created_at) select $1 * 10000 + 1, n, 'x', $1 * 10000 + 1, now() - n * interval '1 minute'`,
  merge_requests: `(project_id, iid, title, source_branch, target_branch, source_project_id, milestone_id, created_at) select $1 * 10000 + 1, n, 'x', 'b' || n, 'main', $1 * 10000 + 1, $1 * 10000 + 1, now() - n * interval '1 minute'`,
  approval_rules: `(project_id, name, approvals_required) select $1 * 10000 + 1, 'r' || n, 1`,
  epics: `(group_id, iid, title) select $1, n, 'x'`,
  labels: `(id, title, color, group_id) select ${ID}, 'l' || n, '#ffffff', $1`,
  milestones: `(id, iid, title, group_id) select ${ID}, n, 'm' || n, $1`,
  group_links: `(source_type, source_id, group_id, access_level) select 'Project', ${ID}, $1, 30`,
};
const TABLES = Object.keys(ROWS);

const caller = (kind: 'Group' | 'Project', role: Role): never =>
  ({
    actor: { id: QUIET, admin: false, external: false },
    role,
    tier: Tier.Ultimate,
    subject: { kind, id: kind === 'Group' ? QUIET : PROJECT, traversalIds: [QUIET], settings: {} },
  }) as never;
const MEMBER = caller('Group', Role.Maintainer);
const VISITOR = caller('Group', Role.None);
const IN_PROJECT = caller('Project', Role.Maintainer);

const issues = new IssueListQueries(null as never);
const epics = new EpicsQueries(null as never);
const labels = new LabelsQueries(null as never);
const milestones = new MilestonesQueries(null as never);
const mergeRequests = new MergeRequestListQueries(null as never, null as never);

const mergeRequestsOf = (of: never, params: object): Promise<ListQuery<object>> =>
  listLoadedBy((page) => mergeRequests.ofGroup(of, params, page));

type Asked = readonly [what: string, list: () => ListQuery<object> | Promise<ListQuery<object>>];

const FILTERS: readonly ListIssuesParams[] = [
  {},
  { state: 'opened' },
  { labels: ['l1'] },
  { milestone: 'm1' },
  { labels: ['None'] },
  { assignee_id: 5 },
  { scope: 'assigned_to_me' },
  { order_by: 'title' },
  { order_by: 'due_date' },
];

const GROUP_LISTS = [MEMBER, VISITOR].flatMap((of): Asked[] => [
  ...FILTERS.map((params): Asked => [`issues ${JSON.stringify(params)}`, () => issues.ofGroup(of, params)]),
  ['merge requests', () => mergeRequestsOf(of, {})],
  ['merge requests of a label', () => mergeRequestsOf(of, { labels: ['l1'] })],
  ['merge requests of an author', () => mergeRequestsOf(of, { author_id: 5 })],
  ['epics', () => epics.list(of, {})],
  ['epics by title, also above', () => epics.list(of, { order_by: 'title', include_ancestor_groups: true })],
  ['epics of the group itself', () => epics.list(of, { include_descendant_groups: false })],
  ['labels', () => labels.list(of, {})],
  ['labels below', () => labels.list(of, { include_descendant_groups: true, only_group_labels: false })],
  ['milestones', () => milestones.list(of, { include_ancestors: true })],
]);

const PROJECT_LISTS: readonly Asked[] = [
  ['issues of a label', () => issues.ofProject(IN_PROJECT, { labels: ['l1'] })],
  ['labels', () => labels.list(IN_PROJECT, {})],
  ['own labels', () => labels.list(IN_PROJECT, { include_ancestor_groups: false })],
  ['milestones', () => milestones.list(IN_PROJECT, {})],
  ['milestones, also above', () => milestones.list(IN_PROJECT, { include_ancestors: true })],
];

const OF_MILESTONE = [
  issues.ofGroup(MEMBER, { non_archived: false }, ofMilestone(ISSUE, PROJECT)),
  issues.ofGroup(VISITOR, { non_archived: false }, ofMilestone(ISSUE, PROJECT)),
  issues.ofProject(IN_PROJECT, { non_archived: false }, ofMilestone(ISSUE, PROJECT)),
];

describe.each<Knowledge>(['crowded', 'empty', 'never analyzed'])('lists over several owners: %s', (known) => {
  let tables: CrowdedTables;

  beforeAll(async () => {
    tables = await CrowdedTables.build(ROWS, known);
  });
  afterAll(() => tables.close());

  it.each(GROUP_LISTS)('of a group read its own rows: %s', async (_what, list) => {
    expect(await tables.excessOf(TABLES, await list())).toEqual([]);
  });

  it.each(PROJECT_LISTS)('of a project read its own rows: %s', async (_what, list) => {
    expect(await tables.excessOf(TABLES, await list())).toEqual([]);
  });

  it('of a milestone read its own rows', async () => {
    for (const list of OF_MILESTONE)
      for (const asked of [list.pageStatement(21, 0), list.countStatement(10_001)])
        expect(await tables.readBy(TABLES, asked)).toBeLessThan(100);
  });

  it.each(FILTERS)('count the issues of a group by state: %j', async (params) => {
    const counted = issues.ofGroup(MEMBER, params).aggregateStatement('count(*) as total');
    expect(await tables.readBy(TABLES, counted)).toBeLessThan(100);
  });
});
