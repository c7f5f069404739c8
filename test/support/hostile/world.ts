import { SCOPES } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { csrfTokenOf } from '#core/sessions/csrf-token.js';
import type { TestApi } from '../api.js';
import { MONITORING, MONITORING_PARTS, MONITORING_TABLES, RESTORE_MONITORING } from './monitoring-world.js';
import { PLANNING, PLANNING_PARTS, PLANNING_TABLES, RESTORE_PLANNING } from './planning-world.js';

/** Token of an administrator who survives whatever is done to others. */
export const WALKER_TOKEN = 'glpat-walker-token-of-tests-01';

/** Secret of the session by which the same administrator uses pages. */
const WALKER_SECRET = 'walker-session-of-tests-0123456789-01234567';

/** Credentials of the walker on pages, and the proof that no foreign page has sent the form. */
export const WALKER_COOKIE = {
  Cookie: `_service_session=${WALKER_SECRET}`,
  'X-CSRF-Token': csrfTokenOf(WALKER_SECRET),
  Accept: 'text/html',
} as const;

/** The ids that requests name. */
export const HERE = { user: 103, group: 200, project: 300 } as const;

/** Object for a path parameter. */
export interface Part {
  readonly name: string;
  readonly path: RegExp;
  /** The id of an accessible object. */
  readonly here: number | string;
  /** The id of an object of another user or project, which must be out of reach. */
  readonly foreign?: number | string;
}

const ANY = /^/;
const PARTS: readonly Part[] = [
  { name: 'environment_id', path: ANY, here: 500, foreign: 501 },
  { name: 'deployment_id', path: ANY, here: 600, foreign: 601 },
  { name: 'impersonation_token_id', path: ANY, here: 104, foreign: 102 },
  { name: 'email_id', path: /^\/api\/v4\/users\/:id\/emails/, here: 801, foreign: 800 },
  { name: 'email_id', path: ANY, here: 800, foreign: 801 },
  { name: 'snippet_id', path: /^\/api\/v4\/projects/, here: 900, foreign: 901 },
  { name: 'snippet_id', path: ANY, here: 902 },
  { name: 'name', path: /\/protected_(branches|tags)/, here: 1, foreign: 2 },
  { name: 'name', path: /projects\/.*\/protected_environments/, here: 1, foreign: 2 },
  { name: 'job_id', path: /^\/api\/v4\/projects/, here: 1100, foreign: 1101 },
  { name: 'pipeline_id', path: ANY, here: 1000, foreign: 1001 },
  { name: 'runner_id', path: ANY, here: 1200, foreign: 1201 },
  { name: 'id', path: /^\/api\/v4\/runners\/:id/, here: 1200 },
  { name: 'freeze_period_id', path: ANY, here: 1300, foreign: 1301 },
  { name: 'managed_license_id', path: ANY, here: 1350, foreign: 1351 },
  { name: 'package_id', path: ANY, here: 1400, foreign: 1401 },
  { name: 'package_file_id', path: ANY, here: 1400, foreign: 1401 },
  { name: 'key', path: /\/variables/, here: 1 },
  { name: 'key', path: /\/sent_notifications/, here: 'a'.repeat(32), foreign: 'b'.repeat(32) },
  ...PLANNING_PARTS,
  ...MONITORING_PARTS,
  { name: 'id', path: /^\/api\/v4\/personal_access_tokens/, here: 102 },
  { name: 'id', path: /\/personal_access_tokens\/:id/, here: 102, foreign: 103 },
  { name: 'id', path: /^\/api\/v4\/applications/, here: 702 },
  { name: 'id', path: /^\/admin\/applications/, here: 702, foreign: 700 },
  { name: 'id', path: /^\/oauth\/authorized_applications/, here: 701, foreign: 700 },
  { name: 'id', path: /\/applications\/:id/, here: 700, foreign: 701 },
];

/** Returns the object for a path parameter of a route, if there is one. */
export const partOf = (path: string, name: string): Part | undefined =>
  PARTS.find((part) => part.name === name && part.path.test(path));

const bytes = (token: string): string => `'\\x${digestToken(token).toString('hex')}'`;
const scopes = `array['${SCOPES.join("','")}']`;

/** Two groups with a project each, users, and objects of the projects; a repeated run restores deleted rows. */
const WORLD = `
  insert into users (id, username, name, email, admin, confirmed_at) values
    (101, 'walker', 'Walker', 'walker@walk.test', true, now()),
    (103, 'target', 'Target', 'target@walk.test', false, now()) on conflict do nothing;
  insert into personal_access_tokens (id, user_id, name, digest, scopes, last_used_at) values
    (101, 101, 'walk', ${bytes(WALKER_TOKEN)}, ${scopes}, now()),
    (102, 101, 'spare', ${bytes('spare')}, ${scopes}, now()), (103, 103, 'theirs', ${bytes('theirs')}, ${scopes}, now())
    on conflict do nothing;
  insert into personal_access_tokens (id, user_id, name, digest, scopes, impersonation) values
    (104, 103, 'as them', ${bytes('as them')}, ${scopes}, true) on conflict do nothing;
  insert into user_emails (id, user_id, email, confirmed_at) values
    (800, 101, 'further@walk.test', now()), (801, 103, 'theirs@walk.test', now()) on conflict do nothing;
  insert into user_two_factors (user_id, sealed_secret, last_step) values (103, 'sealed', 0) on conflict do nothing;
  insert into oauth_applications (id, uid, secret_digest, name, redirect_uris, scopes, owner_id) values
    (700, 'own', '', 'own', '{https://own.test/}', '{api}', 101),
    (701, 'theirs', '', 'theirs', '{https://theirs.test/}', '{api}', 103),
    (702, 'shared', '', 'shared', '{https://shared.test/}', '{api}', null) on conflict do nothing;
  insert into oauth_tokens (id, application_id, user_id, digest, scopes, expires_at) values
    (700, 701, 101, ${bytes('an oauth token')}, '{api}', now() + interval '1 day') on conflict do nothing;
  insert into sessions (id, user_id, digest, csrf_digest, expires_at) values
    (101, 101, ${bytes(WALKER_SECRET)}, ${bytes(csrfTokenOf(WALKER_SECRET))}, now() + interval '1 day') on conflict do nothing;
  insert into namespaces (id, type, name, path, full_path, full_name, traversal_ids) values
    (200, 'Group', 'here', 'here', 'here', 'here', '{200}'),
    (201, 'Group', 'foreign', 'foreign', 'foreign', 'foreign', '{201}') on conflict do nothing;
  insert into namespaces (id, type, name, path, full_path, full_name, traversal_ids, owner_id) values
    (202, 'User', 'Walker', 'walker', 'walker', 'Walker', '{202}', 101),
    (203, 'User', 'Target', 'target', 'target', 'Target', '{203}', 103) on conflict do nothing;
  insert into projects (id, namespace_id, name, path, full_path, full_name) values
    (300, 200, 'p', 'p', 'here/p', 'here/p'), (301, 201, 'p', 'p', 'foreign/p', 'foreign/p') on conflict do nothing;
  insert into routes (path, source_type, source_id) values
    ('here', 'Namespace', 200), ('foreign', 'Namespace', 201), ('walker', 'Namespace', 202), ('target', 'Namespace', 203), ('here/p', 'Project', 300), ('foreign/p', 'Project', 301)
    on conflict do nothing;
  insert into members (id, source_type, source_id, user_id, access_level) values
    (400, 'Namespace', 200, 103, 30), (401, 'Namespace', 201, 103, 30) on conflict do nothing;
  insert into environments (id, project_id, name, slug, tier) values
    (500, 300, 'e', 'e', 'other'), (501, 301, 'e', 'e', 'other') on conflict do nothing;
  insert into deployments (id, project_id, environment_id, iid, user_id, ref, sha, tag, status) values
    (600, 300, 500, 9600, 103, 'main', repeat('a', 40), false, 'created'),
    (601, 301, 501, 9601, 103, 'main', repeat('a', 40), false, 'created') on conflict do nothing;
  insert into snippets (id, project_id, author_id, title, visibility, file_paths) values
    (900, 300, 103, 's', 'private', '{a.txt}'), (901, 301, 103, 's', 'private', '{a.txt}'),
    (902, null, 101, 's', 'private', '{a.txt}') on conflict do nothing;
  insert into protected_refs (id, project_id, ref_type, name) values
    (950, 300, 'branch', '1'), (951, 301, 'branch', '2'), (952, 300, 'tag', '1'), (953, 301, 'tag', '2') on conflict do nothing;
  insert into ci_pipelines (id, project_id, iid, ref, sha, source, status, user_id) values
    (1000, 300, 1, 'main', repeat('a', 40), 'push', 'running', 103),
    (1001, 301, 1, 'main', repeat('a', 40), 'push', 'running', 103) on conflict do nothing;
  insert into ci_runners (id, runner_type, token_digest, description) values
    (1200, 'project_type', ${bytes('a runner')}, 'r'), (1201, 'project_type', ${bytes('another')}, 'r') on conflict do nothing;
  insert into ci_runner_projects (runner_id, project_id) values (1200, 300), (1201, 301) on conflict do nothing;
  insert into ci_jobs (id, project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref, finished_at) values
    (1100, 300, 1000, 'build', 'j', 'test', 0, 'failed', 103, 'main', now()),
    (1101, 301, 1001, 'build', 'j', 'test', 0, 'failed', 103, 'main', now()) on conflict do nothing;
  insert into freeze_periods (id, project_id, freeze_start, freeze_end, cron_timezone) values
    (1300, 300, '0 0 * * 6', '0 0 * * 1', 'UTC'), (1301, 301, '0 0 * * 6', '0 0 * * 1', 'UTC') on conflict do nothing;
  insert into managed_licenses (id, project_id, name, approval_status) values
    (1350, 300, 'MIT', 'allowed'), (1351, 301, 'ISC', 'denied') on conflict do nothing;
  insert into packages (id, project_id, package_type, name, version, status) values
    (1400, 300, 'generic', 'p', '1', 'default'), (1401, 301, 'generic', 'p', '1', 'default') on conflict do nothing;
  insert into package_files (id, project_id, package_id, file_name, size, sha256, object_key) values
    (1400, 300, 1400, 'f', 1, '', 'packages/300/f'), (1401, 301, 1401, 'f', 1, '', 'packages/301/f') on conflict do nothing;
  insert into protected_environments (id, project_id, group_id, name) values
    (1500, 300, null, '1'), (1501, 301, null, '2'), (1502, null, 200, 'production') on conflict do nothing;
  insert into protected_environment_access_levels (id, protected_environment_id, access_level) values
    (1500, 1500, 40), (1501, 1501, 40), (1502, 1502, 40) on conflict do nothing;
  ${PLANNING}
  ${MONITORING}`;

const NUMBERED = [
  'users',
  'personal_access_tokens',
  'sessions',
  'namespaces',
  'projects',
  'members',
  'environments',
  'deployments',
  'snippets',
  'protected_refs',
  'user_emails',
  'oauth_applications',
  'oauth_tokens',
  'ci_pipelines',
  'ci_jobs',
  'ci_runners',
  'freeze_periods',
  'managed_licenses',
  'packages',
  'package_files',
  'protected_environments',
  'protected_environment_access_levels',
  ...PLANNING_TABLES,
  ...MONITORING_TABLES,
];

/** Creates the world; ids of objects that requests create stay apart from its ids. */
export async function arrangeWorld(api: TestApi): Promise<void> {
  for (const table of NUMBERED) await api.sql(`alter table ${table} alter column id restart with 5000`);
  await restoreWorld(api);
}

/** One address sends more wrong passwords than allowed. */
const SETTINGS = '{"throttle_protected_paths_enabled": false}';

/** Reverts the effects of accepted requests on the walker, the objects and the settings. */
export async function restoreWorld(api: TestApi): Promise<void> {
  await api.sql(
    `${WORLD}
     update users set state = 'active', admin = true, pending_delete = false, failed_attempts = 0, locked_at = null where id = 101;
     update users set state = 'active', pending_delete = false, two_factor_enabled = true where id = 103;
     update personal_access_tokens set revoked = false, expires_at = null where id between 101 and 104;
     update oauth_tokens set revoked_at = null where id = 700;
     update projects set archived = false, pending_delete = false, settings = '{}' where id in (300, 301);
     update namespaces set pending_delete = false, settings = '{}' where id in (200, 201);
     delete from members where source_id in (200, 201, 300, 301) and id not in (400, 401);
     ${RESTORE_PLANNING}
     ${RESTORE_MONITORING}
     delete from ssh_keys;
     delete from feature_flags;
     update application_settings set values = '${SETTINGS}', license_plan = 'ultimate', version = version + 1
     where values <> '${SETTINGS}' or license_plan <> 'ultimate'`,
  );
}

/**
 * Queues and their tables change during the requests, and so do counters; the first use of a token is
 * recorded during the request, too.
 */
const MOVING =
  /^(background_|schema_migrations|internal_ids|group_internal_ids|running_pushes|project_statistics|relation_export_batches|(issue|merge_request)_tallies)/;

/** Files that jobs write are claimed and stored during the requests, too. */
const without = (table: string): string =>
  table === 'object_claims' ? ` where object_key not like 'relation-exports/%'` : '';

/** Counts the rows of every table, without those of jobs that run at the same time. */
export async function countRows(api: TestApi): Promise<Record<string, number>> {
  const tables = await api.sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`,
  );
  const counted = tables.map(({ name }) => name).filter((name) => !MOVING.test(name));
  const select = counted
    .map((name) => `(select count(*) from "${name}"${without(name)}) as "${name}"`)
    .join(', ');
  const [row] = await api.sql<Record<string, number>>(`select ${select}`);
  return row ?? {};
}
