import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery, Statement } from '#kernel/database/lists/list-query.js';
import { ArchivesQueries } from '#core/ci/artifacts/archives.queries.js';
import { PipelinesQueries } from '#core/ci/pipelines/pipelines.queries.js';
import { formerStatusSql } from '#core/ci/processing/former-status.js';
import { CommitStatusesQueries } from '#core/ci/statuses/commit-statuses.queries.js';
import { IssueListQueries } from '#core/issues/lists/issue-list.queries.js';
import { PackagesQueries } from '#core/packages/packages.queries.js';
import { EventList } from '#features/events/sql/event-list.js';
import { CrowdedTables, QUIET, type OwnedRows } from '../../support/crowded-tables.js';

const SHA = 'a'.repeat(40);
const ROWS: OwnedRows = {
  ci_pipelines: `(project_id, iid, ref, sha, source, status) select $1, n, 'main', '${SHA}', 'push', 'success'`,
  events: `(project_id, author_id, kind, created_at) select $1, $1, 1, now() - n * interval '1 minute'`,
  issues: `(project_id, iid, title, created_at) select $1, n, 'x', now() - n * interval '1 minute'`,
  package_files: `(project_id, package_id, file_name, size, sha256, object_key) select $1, $1, 'f', 1, '', $1 * 10000 + n`,
  packages: `(id, project_id, package_type, name, version, status) select case n when 1 then $1 else $1 * 10000 + n end, $1, 'generic', 'x', n, 'default'`,
};

/** What a class sends to its database when it reads one row or a few. */
async function sent(work: (database: never) => Promise<unknown>): Promise<Statement> {
  const statements: Statement[] = [];
  const ask = (text: string, values: readonly unknown[]): Promise<never[]> => {
    statements.push({ text, values });
    return Promise.resolve([]);
  };
  await work({ one: ask, short: ask, long: ask } as never).catch(() => undefined);
  const [statement] = statements;
  if (!statement) throw new Error('Nothing was read');
  return statement;
}

const READS: readonly (readonly [what: string, table: string, ask: (database: never) => Promise<unknown>])[] =
  [
    [
      'latest pipeline',
      'ci_pipelines',
      (database) => new PipelinesQueries(database).latest(QUIET, SHA, 'main'),
    ],
    [
      'ref of a commit',
      'ci_pipelines',
      (database) => new CommitStatusesQueries(database).refOf(QUIET, SHA, undefined),
    ],
    [
      'archives of a ref',
      'ci_pipelines',
      (database) => new ArchivesQueries(database).ofRef(QUIET, 'main', 'x', null),
    ],
    [
      'newest file',
      'package_files',
      (database) => new PackagesQueries(database).newestFile(QUIET, 'x', '1', 'f'),
    ],
    [
      'other versions',
      'packages',
      (database) =>
        new PackagesQueries(database).otherVersions({
          project_id: QUIET,
          package_type: 'generic',
          name: 'x',
          id: 0,
        } as never),
    ],
  ];

const MAINTAINER = {
  actor: { id: QUIET, admin: true },
  role: Role.Maintainer,
  subject: { kind: 'Project', id: QUIET, traversalIds: [QUIET], settings: {} },
} as never;
const issues = new IssueListQueries(null as never);
const events = (order: 'created_at' | 'id'): ListQuery<object> =>
  new EventList(
    { scope: 'project', value: QUIET, role: Role.Maintainer, hasAllParts: true },
    { id: QUIET, admin: true } as never,
    {},
    order,
  );

const LISTS: readonly (readonly [table: string, list: () => ListQuery<object>])[] = [
  ['events', () => events('id')],
  ['events', () => events('created_at')],
  ['issues', () => issues.ofProject(MAINTAINER, {})],
  ['issues', () => issues.ofProject(MAINTAINER, { state: 'opened' })],
  ['issues', () => issues.ofProject(MAINTAINER, { order_by: 'updated_at', sort: 'asc' })],
  ['issues', () => issues.ofProject(MAINTAINER, { labels: ['None'] })],
  ['issues', () => issues.ofProject(MAINTAINER, { not: { labels: ['x'] } })],
  ['issues', () => issues.ofProject(MAINTAINER, { epic_id: 'none' })],
];

describe('what one owner has', () => {
  let tables: CrowdedTables;

  beforeAll(async () => {
    tables = await CrowdedTables.build(ROWS);
  });
  afterAll(() => tables.close());

  it.each(READS)('is found among the rows of others: %s', async (_what, table, ask) => {
    expect(await tables.readBy(table, await sent(ask))).toBeLessThan(20);
  });

  it('shows the former status of a branch', async () => {
    const text = formerStatusSql('(select max(id) from ci_pipelines where project_id = $1)');
    expect(await tables.readBy('ci_pipelines', { text, values: [QUIET] })).toBeLessThan(20);
  });

  it.each(LISTS)('is listed by its index: %s', async (table, list) => {
    expect(await tables.excessOf(table, list())).toEqual([]);
  });
});
