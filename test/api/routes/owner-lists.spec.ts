import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { Role } from '#kernel/access/roles.js';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { prepareValue } from '#kernel/libraries/pg-inside.js';
import { AuditEventsQueries } from '#core/audit/audit-events.queries.js';
import { MergeRequestVersionsQueries } from '#core/merge-requests/code/diffs/merge-request-versions.queries.js';
import { AwardEmojiQueries } from '#core/notes/award-emoji/award-emoji.queries.js';
import { DiscussionsQueries } from '#core/notes/discussions/discussions.queries.js';
import { NotesQueries } from '#core/notes/notes.queries.js';
import { ApplicationsQueries } from '#core/oauth-tokens/applications/applications.queries.js';
import { DeployTokensService } from '#core/resource-tokens/deploy-tokens/deploy-tokens.service.js';
import { SnippetsQueries } from '#core/snippets/snippets.queries.js';
import { TokensQueries } from '#core/tokens/tokens.queries.js';
import { UserEmailsService } from '#core/users/addresses/user-emails.service.js';
import { SshKeysService } from '#core/users/keys/ssh-keys.service.js';
import { BulkImportsQueries } from '#features/bulk-imports/api/bulk-imports.queries.js';
import { ClientKeysService } from '#features/error-tracking/settings/client-keys.service.js';
import { StorageMovesQueries } from '#features/storage-moves/storage-moves.queries.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { RowsRead } from '../../support/rows-read.js';

const MANY = 5_000;
const BUSY = 1;
const QUIET = 2;
const NOTED = { type: 'Snippet', id: QUIET } as never;
/** Readers see all notes. */
const OPEN = { sources: { readable: () => ({ sql: 'true', values: [] }) } } as never;
const ROOT = { id: QUIET, admin: true } as never;

/** Rows of an owner `$1`, numbered `n`; another one has the first `MANY`. */
const ROWS: Readonly<Record<string, string>> = {
  audit_events: `(author_id, entity_type, entity_id, details) select 1, case $1 when 1 then 'Project' else 'User' end, $1, '{}'`,
  award_emoji: `(name, user_id, awardable_type, awardable_id) select 'tada', n, case $1 when 1 then 'Issue' else 'Snippet' end, $1`,
  bulk_import_failures: `(entity_id, relation, step, exception_class, exception_message, pipeline_class, correlation_id_value) select $1, '', '', '', '', '', ''`,
  deploy_tokens: `(source_type, source_id, name, username, digest, scopes) select case $1 when 1 then 'Project' else 'Namespace' end, $1, 'x', 'x', sha256(($1 * 10000 + n)::text::bytea), '{}'`,
  error_tracking_client_keys: `(project_id, public_key) select $1, md5(($1 * 10000 + n)::text)`,
  merge_request_versions: `(merge_request_id, start_sha, head_sha) select $1, repeat('a', 40), repeat('b', 40)`,
  notes: `(noteable_type, noteable_id, discussion_id, body) select case $1 when 1 then 'Issue' else 'Snippet' end, $1, n, ''`,
  oauth_applications: `(uid, secret_digest, name, redirect_uris, scopes, owner_id) select $1 * 10000 + n, '', 'x', '{}', '{}', $1`,
  personal_access_tokens: `(user_id, name, digest, scopes) select $1, 'x', sha256(($1 * 10000 + n)::text::bytea), '{}'`,
  snippets: `(author_id, project_id, title, visibility, file_paths) select $1, $1, '', 'public', '{a.txt}'`,
  ssh_keys: `(user_id, title, key, fingerprint_sha256) select $1, '', '', $1 * 10000 + n`,
  storage_moves: `(owner_type, owner_id, state, source_storage, destination_storage) select case $1 when 1 then 'Project' else 'Group' end, $1, 'finished', '', ''`,
  user_emails: `(user_id, email) select $1, format('%s-%s@example.com', $1::int, n)`,
};

type AnyList = ListQuery<object>;

const LISTS: readonly (readonly [table: keyof typeof ROWS, list: () => AnyList])[] = [
  ['audit_events', () => AuditEventsQueries.prototype.listAll({ entity_type: 'User' })],
  [
    'audit_events',
    () => AuditEventsQueries.prototype.listOf({ type: 'Group', id: QUIET, authorId: null }, {}),
  ],
  ['award_emoji', () => AwardEmojiQueries.prototype.list({ type: 'Snippet', id: QUIET } as never)],
  ['bulk_import_failures', () => BulkImportsQueries.prototype.failuresOf(QUIET)],
  [
    'deploy_tokens',
    () =>
      DeployTokensService.prototype.list({ sourceType: 'Namespace', sourceId: QUIET } as never, undefined),
  ],
  ['error_tracking_client_keys', () => ClientKeysService.prototype.list(QUIET)],
  ['merge_request_versions', () => MergeRequestVersionsQueries.prototype.list(QUIET)],
  ['notes', () => NotesQueries.prototype.list.call(OPEN, NOTED, {})],
  ['notes', () => NotesQueries.prototype.list.call(OPEN, NOTED, { order_by: 'updated_at', sort: 'asc' })],
  ['notes', () => DiscussionsQueries.prototype.list.call(OPEN, NOTED)],
  ['oauth_applications', () => ApplicationsQueries.prototype.ofOwner(QUIET)],
  ['personal_access_tokens', () => TokensQueries.prototype.list(QUIET, {})],
  ['snippets', () => SnippetsQueries.prototype.own(ROOT, {})],
  ['snippets', () => SnippetsQueries.prototype.ofProject(QUIET, Role.Owner, ROOT)],
  ['ssh_keys', () => SshKeysService.prototype.list(QUIET)],
  ['storage_moves', () => StorageMovesQueries.prototype.list('Group', null)],
  ['storage_moves', () => StorageMovesQueries.prototype.list('Group', QUIET)],
  ['user_emails', () => UserEmailsService.prototype.list(QUIET)],
];

describe('lists of an owner whose rows PostgreSQL has not seen', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({
      connectionString: database.url,
      options: `${PLANNER_OPTIONS} -c session_replication_role=replica`,
    });
    await client.connect();
    for (const [table, rows] of Object.entries(ROWS)) {
      const add = (owner: number, count: number): Promise<unknown> =>
        client.query(
          `insert into ${table} ${rows.replaceAll('$1', String(owner))} from generate_series(1, ${count}) n`,
        );
      await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
      await add(BUSY, MANY);
      await client.query(`analyze ${table}`);
      await add(QUIET, 3);
    }
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each(LISTS)('read no rows of others: %s', async (table, list) => {
    const query = list();
    const read = new RowsRead(client, table);
    const order = query.keysetOrder('id');
    if (!order) throw new Error('The list has no keyset pages');
    const after = order.columns.map(() => MANY);
    const counts: number[] = [];
    for (const { text, values } of [
      query.pageStatement(21, 0),
      query.keysetStatement(order, 'asc', null, 21),
      query.keysetStatement(order, 'desc', after, 21),
      query.countStatement(10_001),
    ]) {
      const before = read.count;
      await client.query(`prepare asked as ${text}`);
      const given = values.map((value) =>
        value === null ? 'null' : client.escapeLiteral(String(prepareValue(value))),
      );
      await read.query(`execute asked(${given.join(', ')})`, []);
      await client.query('deallocate asked');
      counts.push(read.count - before);
    }
    expect(counts).toEqual(counts.map((count) => Math.min(count, 20)));
  });
});
