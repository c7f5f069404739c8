/** A table whose size depends on how many people use an instance. */
export interface SizedTable {
  readonly table: string;
  /** Rows that one of very many users leaves at any one time: a supposition, which an operator replaces by his own. */
  readonly perUser: number;
  /** What keeps the number of rows bounded. */
  readonly kept: string;
  /** Inserts $1 rows as the product writes them. */
  readonly rows: string;
}

const FOR_EVER = 'until its owner goes';

/** Rows of projects, users and issuables are of this many. */
const SOME = '(1 + i % 100000)';
const PAST = `now() - (i % 1000000) * interval '30 seconds'`;
const DIGEST = 'sha256(i::text::bytea)';
const SHA = `md5(i::text) || '01234567'`;

const of = (table: string, perUser: number, kept: string, columns: string, values: string): SizedTable => ({
  table,
  perUser,
  kept,
  rows: `insert into ${table} (${columns}) select ${values} from generate_series(1, $1::int) i`,
});

const PEOPLE = [
  of('users', 1, FOR_EVER, 'id, username, name, email, password_digest, confirmed_at, current_sign_in_at, current_sign_in_ip, last_activity_on, created_at',
    `1000 + i, 'person-' || i, 'Person Number ' || i, 'person-' || i || '@example.com', '$scrypt$ln=14,r=8,p=1$' || repeat(md5(i::text), 3), now(), ${PAST}, '192.0.2.1', current_date, ${PAST}`),
  of('sessions', 2, 'until they expire', 'user_id, digest, csrf_digest, remote_ip, user_agent, expires_at, created_at',
    `${SOME}, ${DIGEST}, ${DIGEST}, '192.0.2.1', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', now() + interval '1 day', ${PAST}`),
  of('personal_access_tokens', 2, 'revoked ones for 30 days', 'user_id, name, digest, scopes, expires_at, last_used_at, created_at',
    `${SOME}, 'laptop', ${DIGEST}, '{api}', current_date + 200, now(), ${PAST}`),
  of('oauth_tokens', 10, 'used and expired ones for 30 days', 'application_id, user_id, digest, refresh_digest, scopes, refresh_scopes, expires_at, created_at',
    `1 + i % 50, ${SOME}, ${DIGEST}, sha256((-i)::text::bytea), '{openid,api}', '{openid,api}', now() + interval '2 hours', ${PAST}`),
  of('ssh_keys', 1, FOR_EVER, 'user_id, title, key, fingerprint_sha256, created_at',
    `${SOME}, 'laptop', 'ssh-ed25519 ' || repeat(md5(i::text), 2) || ' person@laptop', md5(i::text) || '0123456789a', ${PAST}`),
  of('notification_settings', 1, FOR_EVER, 'user_id, source_type, source_id, level', `${SOME}, 'Project', i, 'watch'`),
];

const PLACES = [
  of('namespaces', 1.1, FOR_EVER, 'id, type, name, path, full_path, full_name, traversal_ids, owner_id, created_at',
    `1000 + i, 'User', 'Person ' || i, 'person-' || i, 'person-' || i, 'Person ' || i, array[1000 + i]::bigint[], 1000 + i, ${PAST}`),
  of('projects', 1, FOR_EVER, 'id, namespace_id, creator_id, name, path, full_path, full_name, description, default_branch, empty_repo, last_activity_at, created_at',
    `1000 + i, ${SOME}, ${SOME}, 'service ' || i, 'service-' || i, 'group-' || ${SOME} || '/service-' || i, 'Group / service ' || i, 'What it is for, in one sentence.', 'main', false, ${PAST}, ${PAST}`),
  of('routes', 2.2, FOR_EVER, 'path, source_type, source_id', `'group-' || ${SOME} || '/service-' || i, 'Project', i`),
  of('internal_ids', 4, FOR_EVER, 'project_id, usage, last_value, live_count', `i, 'issues', 40, 40`),
  of('members', 5, FOR_EVER, 'source_type, source_id, user_id, access_level, created_at', `'Project', i, ${SOME}, 30, ${PAST}`),
];

const PLANNING = [
  of('issues', 20, FOR_EVER, 'project_id, iid, author_id, title, description, relative_position, created_at, updated_at',
    `${SOME}, i, ${SOME}, 'What is to be done, number ' || i, repeat('Words that say what should be. ', 15), i, ${PAST}, ${PAST}`),
  of('issue_labels', 40, FOR_EVER, 'issue_id, label_id, project_id, created_at', `i, 1 + i % 2000, ${SOME}, ${PAST}`),
  of('merge_requests', 20, FOR_EVER, 'project_id, source_project_id, iid, source_branch, target_branch, author_id, title, description, state, head_sha, base_sha, created_at, updated_at',
    `${SOME}, ${SOME}, i, 'branch-' || i, 'main', ${SOME}, 'What it changes, number ' || i, repeat('Words on why. ', 15), 'merged', ${SHA}, ${SHA}, ${PAST}, ${PAST}`),
  of('notes', 100, FOR_EVER, 'noteable_type, noteable_id, project_id, author_id, discussion_id, body, created_at, updated_at',
    `'Issue', 1 + i / 5, ${SOME}, ${SOME}, ${SHA}, repeat('Words of a comment. ', 8), ${PAST}, ${PAST}`),
  of('events', 100, 'three years', 'project_id, author_id, kind, target_id, target_iid, subject_id, payload, created_at',
    `${SOME}, 1 + i * 7 % 100000, case i % 3 when 0 then 21 when 1 then 33 else 35 end, case when i % 3 <> 0 then i end, case when i % 3 <> 0 then i % 1000 end, case when i % 3 <> 0 then i end,
     case when i % 3 = 0 then '{"commit_count":1,"action":"pushed","ref_type":"branch","commit_from":null,"commit_to":null,"ref":"main","commit_title":"Words","ref_count":null}'::jsonb end, ${PAST}`),
  of('sent_notifications', 100, 'a year', 'unsubscribe_key, event_id, event, user_id, target_type, target_id, project_id, reason, mailed_at, created_at',
    `md5(i::text), md5((-i)::text), '{"action":"new_note","note_id":1}', ${SOME}, 'Issue', i, ${SOME}, 'subscribed', now(), ${PAST}`),
  of('audit_events', 10, '`audit_event_retention_days`, for ever by default', 'author_id, entity_type, entity_id, details, created_at',
    `${SOME}, 'Project', ${SOME}, '{"change":"access_level","from":"Developer","to":"Maintainer","author_name":"Person","target_type":"User","target_details":"Person","ip_address":"192.0.2.1"}', ${PAST}`),
];

const DELIVERY = [
  of('ci_pipelines', 50, FOR_EVER, 'project_id, iid, ref, sha, source, status, user_id, duration, started_at, finished_at, created_at, updated_at',
    `${SOME}, i, 'main', ${SHA}, 'push', 'success', ${SOME}, 60, ${PAST}, ${PAST}, ${PAST}, ${PAST}`),
  of('ci_jobs', 250, FOR_EVER, 'project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, runner_id, ref, token_digest, queued_at, started_at, finished_at, created_at, updated_at',
    `${SOME}, 1 + i / 5, 'build', 'test-' || i % 5, 'test', 1, 'success', ${SOME}, 1 + i % 200, 'main', ${DIGEST}, ${PAST}, ${PAST}, ${PAST}, ${PAST}, ${PAST}`),
  of('ci_job_definitions', 250, FOR_EVER, 'job_id, definition',
    `i, ('{"script":["npm ci","npm test"],"image":{"name":"node:24"},"cache":[{"key":"modules","paths":["node_modules"]}],"variables":[{"key":"CI_STEP","value":"' || i || '"}]}')::jsonb`),
  of('ci_job_artifacts', 50, '`expire_in`, 30 days by default', 'project_id, job_id, file_type, file_format, filename, size, sha256, object_key, expire_at, entry_count, created_at',
    `${SOME}, i, 'archive', 'zip', 'artifacts.zip', 10000, md5(i::text) || md5((-i)::text), 'artifacts/' || md5(i::text) || '/artifacts.zip', now() + interval '30 days', 20, ${PAST}`),
  of('deployments', 20, FOR_EVER, 'project_id, environment_id, iid, user_id, ref, sha, tag, status, finished_at, created_at, updated_at, job_id',
    `${SOME}, 1 + i % 300000, i, ${SOME}, 'main', ${SHA}, false, 'success', ${PAST}, ${PAST}, ${PAST}, i`),
  of('error_tracking_events', 20, '90 days, and a number of each error', 'project_id, error_id, event_id, level, environment, release, occurred_at, received_at, payload',
    `1 + i % 2000, 1 + i % 20000, md5(i::text)::uuid, 'error', 'production', '1.0', ${PAST}, ${PAST}, (select string_agg(md5((i * 100 + n)::text), ' ') from generate_series(1, 60) n)`),
  of('alerts', 2, FOR_EVER, 'project_id, iid, title, service, monitoring_tool, severity, fingerprint, started_at, payload, created_at',
    `1 + i % 2000, i, 'Disk of host-' || i || ' is full', 'disk', 'Prometheus', 4, ${DIGEST}, ${PAST}, '{"title":"Disk is full","hosts":["host-1"],"labels":{"severity":"high","team":"base"}}', ${PAST}`),
];

/** Largest first is not their order here: an area after another. */
export const SIZED_TABLES: readonly SizedTable[] = [...PEOPLE, ...PLACES, ...PLANNING, ...DELIVERY];
