import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { Role } from '#kernel/access/roles.js';
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
import { CrowdedTables, QUIET, type OwnedRows } from '../../support/crowded-tables.js';

const NOTED = { type: 'Snippet', id: QUIET } as never;
/** Readers see all notes. */
const OPEN = { sources: { readable: () => ({ sql: 'true', values: [] }) } } as never;
const ROOT = { id: QUIET, admin: true } as never;

const ROWS: OwnedRows = {
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

const LISTS: readonly (readonly [table: string, list: () => AnyList])[] = [
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
  ['personal_access_tokens', () => TokensQueries.prototype.impersonation(QUIET, 'all')],
  ['snippets', () => SnippetsQueries.prototype.own(ROOT, {})],
  ['snippets', () => SnippetsQueries.prototype.ofProject(QUIET, Role.Owner, ROOT)],
  ['ssh_keys', () => SshKeysService.prototype.list(QUIET)],
  ['storage_moves', () => StorageMovesQueries.prototype.list('Group', null)],
  ['storage_moves', () => StorageMovesQueries.prototype.list('Group', QUIET)],
  ['user_emails', () => UserEmailsService.prototype.list(QUIET)],
];

describe('lists of an owner whose rows PostgreSQL has not seen', () => {
  let tables: CrowdedTables;

  beforeAll(async () => {
    tables = await CrowdedTables.build(ROWS);
  });
  afterAll(() => tables.close());

  it.each(LISTS)('read no rows of others: %s', async (table, list) => {
    expect(await tables.excessOf(table, list())).toEqual([]);
  });
});
