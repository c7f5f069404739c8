import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role, Tier } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { ApprovalRulesService } from '#core/merge-requests/approvals/rules/approval-rules.service.js';
import { MergeRequestPipelinesQueries } from '#core/merge-requests/pipelines/merge-request-pipelines.queries.js';
import { ProjectListQueries } from '#core/projects/lists/project-list.queries.js';
import { ProjectListsController } from '#core/projects/lists/project-lists.controller.js';
import { BulkImportsQueries } from '#features/bulk-imports/api/bulk-imports.queries.js';
import { CrowdedTables, QUIET, type Knowledge, type OwnedRows } from '../../support/crowded-tables.js';
import { listLoadedBy } from '../../support/list-loaded-by.js';

const ID = '$1 * 10000 + n';
const SHA = `md5(n::text) || '00000000'`;

const ROWS: OwnedRows = {
  namespaces: `(id, type, owner_id, name, path, full_path, full_name, traversal_ids, visibility) select case n when 1 then $1 else ${ID} end, 'User', case n when 1 then $1 else ${ID} end, ${ID}, ${ID}, ${ID}, 'x', array[$1], 'public'`,
  projects: `(id, namespace_id, name, path, full_path, full_name, visibility, repository_storage, forked_from_id) select ${ID}, $1, 'x' || n, 'x' || n, 'x', 'x', 'public', 'default', $1`,
  project_stars: `(user_id, project_id) select $1, ${ID}`,
  group_links: `(source_type, source_id, group_id, access_level) select 'Project', ${ID}, $1, 30`,
  approval_rules: `(project_id, name, approvals_required, merge_request_id) select $1, 'r' || n, 1, case when n % 2 = 0 then $1 end`,
  merge_requests: `(id, project_id, iid, title, source_branch, target_branch, source_project_id) select case n when 1 then $1 else ${ID} end, $1, n, 'x', 'b' || n, 'main', $1`,
  merge_request_versions: `(merge_request_id, head_sha, base_sha, start_sha) select $1, ${SHA}, '', ''`,
  ci_pipelines: `(project_id, iid, ref, sha, source, status, merge_request_id) select $1, n, 'b1', ${SHA}, 'push', 'success', case when n > 2 then $1 end`,
  bulk_imports: `(id, user_id, source_url, source_version) select case n when 1 then $1 else ${ID} end, $1, '', ''`,
  bulk_import_entities: `(bulk_import_id, source_type, source_full_path, destination_slug, destination_namespace) select $1, 'group_entity', 'x', 'x', 'x'`,
};
const TABLES = Object.keys(ROWS);

const ACTOR = { id: QUIET, admin: false, external: false } as never;
const CALLER = { actor: ACTOR, role: Role.Guest, tier: Tier.Ultimate, subject: { id: QUIET } } as never;
const SUBJECT = { id: QUIET } as never;
const projects = new ProjectListsController(new ProjectListQueries(null as never, null as never), {
  findOwner: () => Promise.resolve({ id: QUIET }),
} as never);
const pipelines = MergeRequestPipelinesQueries.prototype;
const rules = ApprovalRulesService.prototype;

const LISTS: readonly (readonly [string, () => ListQuery<object> | Promise<ListQuery<object>>])[] = [
  ['projects of a user', () => listLoadedBy((page) => projects.ofUser(CALLER, { id: QUIET } as never, page))],
  [
    'starred projects',
    () => listLoadedBy((page) => projects.starredBy(CALLER, { id: QUIET } as never, page)),
  ],
  ['projects of a group', () => listLoadedBy((page) => projects.ofGroup(SUBJECT, CALLER, {}, page))],
  [
    'projects below a group',
    () => listLoadedBy((page) => projects.ofGroup(SUBJECT, CALLER, { include_subgroups: true }, page)),
  ],
  ['shared projects', () => listLoadedBy((page) => projects.sharedWithGroup(SUBJECT, CALLER, {}, page))],
  ['forks', () => listLoadedBy((page) => projects.forksOf(SUBJECT, CALLER, {}, page))],
  ['approval rules of a project', () => rules.list(CALLER)],
  ['approval rules of a merge request', () => rules.list(CALLER, QUIET)],
  ['pipelines of a merge request', () => pipelines.list(QUIET, QUIET, ACTOR)],
  ['entities of the imports of a user', () => BulkImportsQueries.prototype.entities(QUIET, {})],
];

describe.each<Knowledge>(['crowded', 'empty', 'never analyzed'])('lists of ids found first: %s', (known) => {
  let tables: CrowdedTables;

  beforeAll(async () => {
    tables = await CrowdedTables.build(ROWS, known);
  });
  afterAll(() => tables.close());

  it.each(LISTS)('read their own rows: %s', async (_what, list) => {
    expect(await tables.excessOf(TABLES, await list())).toEqual([]);
  });
});
