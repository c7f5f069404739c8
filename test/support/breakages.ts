/** A statement that breaks an invariant, the check that detects it, and its report. */
export const breakages: readonly (readonly [sql: string, check: string, what: RegExp])[] = [
  ['delete from application_settings', 'the settings exist', /^none$/],
  ['update users set admin = false', 'the instance has an active administrator', /administrator/],
  [
    `update users set state = 'blocked' where id = (select user_id from members where source_type = 'Namespace' limit 1);
     update users set admin = true where username = 'eve'`,
    'every group with members has an owner',
    /^group \d+$/,
  ],
  [
    `update users set username = 'other' where username = 'eve'`,
    'every user has a namespace of the same name',
    /^user \d+$/,
  ],
  [
    `update routes set redirect = true where path = 'shop/inner'`,
    'every namespace is found by its path',
    /^namespace \d+$/,
  ],
  [`delete from routes where path = 'shop/inner/web'`, 'every project is found by its path', /^project \d+$/],
  [
    `insert into routes (path, source_type, source_id) values ('gone', 'Project', 999999)`,
    'every path belongs to a namespace or project',
    /^path gone$/,
  ],
  [
    `update namespaces set traversal_ids = array[id] where full_path = 'shop/inner'`,
    'the group tree is consistent',
    /^group \d+$/,
  ],
  [
    `update routes set path = 'shop/elsewhere/web' where path = 'shop/inner/web';
     update projects set full_path = 'shop/elsewhere/web' where path = 'web'`,
    'full paths follow the tree',
    /^project \d+$/,
  ],
  [
    `update routes set path = 'shop/wrong' where path = 'shop/inner';
     update namespaces set full_path = 'shop/wrong', path = 'wrong' where full_path = 'shop/inner'`,
    'full paths follow the tree',
    /^project \d+$/,
  ],
  [
    `update routes set path = 'shops' where path = 'shop';
     update namespaces set full_path = 'shops' where full_path = 'shop'`,
    'full paths follow the tree',
    /^namespace \d+$/,
  ],
  [
    `insert into members (source_type, source_id, user_id, access_level)
     select 'Project', 999999, id, 30 from users where username = 'eve'`,
    'members belong to an existing group or project',
    /^member \d+$/,
  ],
  [
    `update environments set state = 'stopping'`,
    'nothing waits for a CI job that does not exist',
    /^environment \d+$/,
  ],
  [
    `insert into repositories (owner_type, owner_id, kind) values ('Group', 999999, 'wiki')`,
    'repositories belong to an owner',
    /^repository \d+$/,
  ],
  [
    `insert into repositories (owner_type, owner_id, kind) select 'Project', id, 'code' from projects limit 1;
     insert into running_pushes (id, repository_id, heartbeat_at)
     select '00000000-0000-0000-0000-000000000001', max(id), now() - interval '20 minutes' from repositories`,
    'no push waits to be processed',
    /^push \S+ of repository \d+$/,
  ],
  [
    `update members set access_level = 40 where source_id = (select id from namespaces where full_path = 'shop')`,
    'every group with members has an owner',
    /^group \d+$/,
  ],
  [
    `update users set bot_source_type = 'Project', bot_source_id = 999999 where username = 'eve'`,
    'bots belong to their project or group',
    /^user \d+$/,
  ],
  [
    `update users set two_factor_enabled = true where username = 'eve'`,
    'second factors are required where there is one',
    /^user \d+$/,
  ],
  [
    `insert into user_two_factors (user_id, sealed_secret, last_step) select id, '', 0 from users where username = 'eve'`,
    'second factors are required where there is one',
    /^user \d+$/,
  ],
  [
    `insert into oauth_tokens (id, user_id, family_id, digest, scopes, expires_at)
     select n, u.id, nullif(n, 1) - 1, sha256(n::text::bytea), '{api}', now() from users u, generate_series(1, 2) n
     where (n = 1 and u.username = 'eve') or (n = 2 and u.username = 'root')`,
    'refreshed OAuth tokens stay with their user and application',
    /^token 2$/,
  ],
  [
    `update internal_ids set last_value = 1`,
    'counters agree with their rows',
    /^deployments of project \d+$/,
  ],
  [
    `update internal_ids set live_count = 7 where usage = 'deployments'`,
    'counters agree with their rows',
    /^deployments of project \d+$/,
  ],
  [
    `delete from internal_ids where usage = 'deployments'`,
    'counters agree with their rows',
    /^deployments of project \d+$/,
  ],
  [`delete from deployments`, 'counters agree with their rows', /^deployments of project \d+$/],
  [
    `update internal_ids set open_count = 7 where usage = 'issues'`,
    'counters of issues and merge requests agree with their rows',
    /^issues of project \d+$/,
  ],
  [
    `update issue_tallies set count = 7 where kind = 'author'`,
    'tallies of issues agree with their rows',
    /^author \d+ in project \d+$/,
  ],
  [
    `insert into merge_request_tallies (kind, subject_id, project_id, count) select 'reviewer', 1, id, 1 from projects where path = 'web'`,
    'tallies of merge requests agree with their rows',
    /^reviewer 1 in project \d+$/,
  ],
  [
    `insert into internal_ids (project_id, usage, last_value, live_count) select id, 'alerts', 1, 1 from projects where path = 'web'`,
    'counters of alerts agree with their rows',
    /^alerts of project \d+$/,
  ],
  [`update issues set user_notes_count = 7`, 'note counters match the notes', /^Issue \d+$/],
  [`update issues set upvotes = 2`, 'votes match the emoji', /^Issue \d+$/],
  [`update notes set downvotes = 1`, 'votes match the emoji', /^Note \d+$/],
  [`update projects set star_count = 3 where path = 'web'`, 'stars of projects are counted', /^project \d+$/],
  [
    `insert into merge_requests (project_id, source_project_id, source_branch, target_branch, iid, title, state, locked_at)
     select id, id, 'a', 'b', 1, 'Stuck', 'locked', now() - interval '1 hour' from projects where path = 'web';
     insert into internal_ids (project_id, usage, last_value, live_count) select id, 'merge_requests', 1, 1 from projects where path = 'web'`,
    'no merge is stuck',
    /^merge request \d+$/,
  ],
  [
    `update environments set project_id = (select min(id) from projects where full_path like 'root/%')`,
    'deployments are in environments of their own project',
    /^deployment \d+$/,
  ],
  [
    `update deployments set finished_at = null where status = 'success'`,
    'finished_at is set on finished deployments only',
    /^deployment \d+$/,
  ],
  [
    `update deployments set finished_at = now() where status = 'running'`,
    'finished_at is set on finished deployments only',
    /^deployment \d+$/,
  ],
  [
    `with e as (insert into error_tracking_errors (project_id, group_key, name, level, users_count, first_seen_at, last_seen_at)
       select id, '', 'E', 'error', 1, now(), now() from projects limit 1 returning id)
     insert into error_tracking_error_users (error_id, user_key) select e.id, decode(key, 'hex') from e, unnest('{01,02}'::text[]) key`,
    'counters of errors agree with their rows',
    /^error \d+$/,
  ],
  [
    `insert into error_tracking_events (project_id, event_id, occurred_at, received_at, payload)
     select id, gen_random_uuid(), now(), now() - interval '16 minutes', '{}' from projects limit 1`,
    'error events are grouped',
    /^error event \d+$/,
  ],
  [
    `insert into background_jobs (queue, name, payload, state, failed_at, error_class)
     values ('q', 'Broken', '{}', 'failed', now(), 'TypeError')`,
    'there are no failed jobs',
    /^Broken \(TypeError\)$/,
  ],
  [
    `insert into background_jobs (queue, name, payload, run_at) values ('q', 'Late', '{}', now() - interval '2 minutes')`,
    'jobs flow',
    /^Late has waited since \d{4}-\d\d-\d\dT/,
  ],
  ['delete from ci_pending_jobs', 'exactly the pending CI jobs wait for a runner', /^CI job \d+$/],
  [
    `update ci_jobs set status = 'canceled' where status = 'pending'`,
    'exactly the pending CI jobs wait for a runner',
    /^CI job \d+$/,
  ],
  [
    `update ci_jobs set runner_seen_at = now() - interval '21 minutes' where status = 'running'`,
    'running CI jobs have a recent runner heartbeat',
    /^CI job \d+ without a runner$/,
  ],
  [
    `insert into ci_runners (id, runner_type, token_digest) values (77, 'instance_type', '');
     update ci_jobs set runner_id = 77, started_at = now() - interval '21 minutes' where status = 'running'`,
    'running CI jobs have a recent runner heartbeat',
    /^CI job \d+ of runner 77$/,
  ],
  [
    `update ci_pipelines set status = 'failed', updated_at = now() - interval '16 minutes' where bridge_id is not null`,
    'bridges run no longer than their child',
    /^CI bridge \d+$/,
  ],
  [
    'delete from ci_pipelines where bridge_id is not null',
    'bridges run no longer than their child',
    /^CI bridge \d+$/,
  ],
  [
    `update ci_jobs set finished_at = now() - interval '61 minutes' where status = 'success'`,
    'traces of finished CI jobs are archived',
    /^trace of CI job \d+$/,
  ],
];
