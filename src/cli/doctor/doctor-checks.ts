import { keptByAnotherSql } from '#core/users/owners.sql.js';
import { countersCheck, starsCheck, noteableCheck, talliesCheck, votesCheck } from '../doctor-counters.js';

/** An invariant of the data. The statement returns its violations in the column `what`. */
export interface ConsistencyCheck {
  readonly check: string;
  readonly sql: string;
  /** Statements that repair what can be derived from the rows. Each is safe alongside concurrent writes. */
  readonly mend?: readonly string[];
}

/** Invariants that no single foreign key can enforce. */
export const consistencyChecks: readonly ConsistencyCheck[] = [
  {
    check: 'the settings exist',
    sql: `select 'none' as what where not exists (select 1 from application_settings where id = 1)`,
  },
  {
    check: 'the instance has an active administrator',
    sql: `select 'no active administrator' as what
      where not exists (select 1 from users where admin and state = 'active' and not pending_delete)`,
  },
  {
    check: 'every user has a namespace of the same name',
    sql: `select 'user ' || u.id as what from users u left join namespaces n on n.owner_id = u.id
      where u.user_type <> 'ghost' and not u.pending_delete and lower(u.username) is distinct from lower(n.path)`,
  },
  {
    check: 'every namespace is found by its path',
    sql: `select 'namespace ' || n.id as what from namespaces n left join routes r
      on r.path = lower(n.full_path) and r.source_type = 'Namespace' and r.source_id = n.id and not r.redirect
      where r.path is null and not n.pending_delete`,
  },
  {
    check: 'every project is found by its path',
    sql: `select 'project ' || p.id as what from projects p left join routes r
      on r.path = lower(p.full_path) and r.source_type = 'Project' and r.source_id = p.id and not r.redirect
      where r.path is null and not p.pending_delete`,
  },
  {
    check: 'every path belongs to a namespace or project',
    sql: `select 'path ' || r.path as what from routes r
      where not exists (select 1 from namespaces n where r.source_type = 'Namespace' and n.id = r.source_id)
        and not exists (select 1 from projects p where r.source_type = 'Project' and p.id = r.source_id)`,
  },
  {
    check: 'the group tree is consistent',
    sql: `select 'group ' || n.id as what from namespaces n left join namespaces p on p.id = n.parent_id
      where n.traversal_ids <> coalesce(p.traversal_ids, '{}') || n.id`,
  },
  {
    check: 'full paths follow the tree',
    sql: `select 'namespace ' || n.id as what from namespaces n left join namespaces p on p.id = n.parent_id
        where n.full_path <> coalesce(p.full_path || '/', '') || n.path and not n.pending_delete
      union all
      select 'project ' || p.id from projects p join namespaces n on n.id = p.namespace_id
        where p.full_path <> n.full_path || '/' || p.path and not p.pending_delete`,
  },
  {
    check: 'members belong to an existing group or project',
    sql: `select 'member ' || m.id as what from members m
      where not exists (select 1 from projects p where m.source_type = 'Project' and p.id = m.source_id)
        and not exists (select 1 from namespaces n where m.source_type = 'Namespace' and n.id = m.source_id)`,
  },
  {
    check: 'every group with members has an owner',
    sql: `select 'group ' || n.id as what from namespaces n
      where n.type = 'Group' and n.parent_id is null and not n.pending_delete
        and exists (select 1 from members m where m.source_type = 'Namespace' and m.source_id = n.id)
        and not ${keptByAnotherSql('0', 'n.traversal_ids')}`,
  },
  {
    check: 'bots belong to their project or group',
    sql: `select 'user ' || u.id as what from users u where u.bot_source_id is not null and u.state = 'active'
      and not exists (select 1 from projects p where u.bot_source_type = 'Project' and p.id = u.bot_source_id)
      and not exists (select 1 from namespaces n where u.bot_source_type = 'Namespace' and n.id = u.bot_source_id)`,
  },
  {
    check: 'second factors are required where there is one',
    sql: `select 'user ' || u.id as what from users u left join user_two_factors t on t.user_id = u.id
      where u.two_factor_enabled <> (t.user_id is not null)`,
  },
  {
    check: 'refreshed OAuth tokens stay with their user and application',
    sql: `select 'token ' || t.id as what from oauth_tokens t join oauth_tokens f on f.id = t.family_id
      where (t.user_id, t.application_id) is distinct from (f.user_id, f.application_id)`,
  },
  {
    check: 'counters agree with their rows',
    ...countersCheck(['deployments']),
  },
  {
    check: 'counters of issues and merge requests agree with their rows',
    ...countersCheck(['issues', 'merge_requests']),
  },
  {
    check: 'tallies of issues agree with their rows',
    ...talliesCheck('issue', { assignee: 'issue_assignees', label: 'issue_labels' }),
  },
  {
    check: 'tallies of merge requests agree with their rows',
    ...talliesCheck('merge_request', {
      assignee: 'merge_request_assignees',
      reviewer: 'merge_request_reviewers',
      label: 'merge_request_labels',
    }),
  },
  {
    check: 'counters of alerts agree with their rows',
    ...countersCheck(['alerts']),
  },
  {
    check: 'counters of errors agree with their rows',
    sql: `select 'error ' || e.id as what from error_tracking_errors e
      left join (select error_id, count(*) as kept from error_tracking_events where error_id is not null group by error_id) v on v.error_id = e.id
      left join (select error_id, count(*) as users from error_tracking_error_users group by error_id) u on u.error_id = e.id
      where e.events_count < coalesce(v.kept, 0) or e.users_count < coalesce(u.users, 0)`,
  },
  {
    check: 'note counters match the notes',
    ...noteableCheck,
  },
  {
    check: 'votes match the emoji',
    ...votesCheck,
  },
  {
    check: 'stars of projects are counted',
    ...starsCheck,
  },
  {
    check: 'deployments are in environments of their own project',
    sql: `select 'deployment ' || d.id as what from deployments d join environments e on e.id = d.environment_id
      where e.project_id <> d.project_id`,
  },
  {
    check: 'repositories belong to an owner',
    sql: `select 'repository ' || r.id as what from repositories r
      where not exists (select 1 from projects p where r.owner_type = 'Project' and p.id = r.owner_id)
        and not exists (select 1 from namespaces n where r.owner_type = 'Group' and n.id = r.owner_id)
        and not exists (select 1 from snippets s where r.owner_type = 'Snippet' and s.id = r.owner_id)`,
  },
  {
    check: 'finished_at is set on finished deployments only',
    sql: `select 'deployment ' || d.id as what from deployments d
      where (d.status in ('success', 'failed', 'canceled') and d.finished_at is null)
        or (d.status = 'running' and d.finished_at is not null)`,
  },
  {
    check: 'exactly the pending CI jobs wait for a runner',
    sql: `select 'CI job ' || coalesce(j.id, q.job_id) as what
      from (select id from ci_jobs where kind = 'build' and status = 'pending') j
      full join ci_pending_jobs q on q.job_id = j.id where j.id is null or q.job_id is null`,
  },
  {
    check: 'nothing waits for a CI job that does not exist',
    sql: `select 'deployment ' || id as what from deployments where job_id is null and status in ('created', 'blocked')
      union all
      select 'environment ' || e.id from environments e where e.state = 'stopping' and not exists (
        select 1 from ci_jobs j where j.project_id = e.project_id and j.environment = e.name and j.environment_action = 'stop'
          and not j.retried and j.status not in ('success', 'failed', 'canceled', 'skipped', 'manual'))`,
  },
  {
    check: 'there are no failed jobs',
    sql: `select name || ' (' || coalesce(error_class, 'unknown') || ')' as what from background_jobs
      where state = 'failed' order by failed_at desc`,
  },
];

/**
 * Invariants that hold only while processes of the service run: a stopped one keeps its jobs for the next start, as does a restored
 * backup for its first.
 */
export const flowChecks: readonly ConsistencyCheck[] = [
  {
    check: 'jobs flow',
    sql: `select name || ' has waited since ' || to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as what
    from background_jobs where state in ('pending', 'handed') and run_at < now() - interval '60 seconds' order by run_at`,
  },
  {
    check: 'no push waits to be processed',
    sql: `select 'push ' || id || ' of repository ' || repository_id as what from running_pushes
      where heartbeat_at < now() - interval '15 minutes'`,
  },
  {
    check: 'error events are grouped',
    sql: `select 'error event ' || id as what from error_tracking_events
      where error_id is null and received_at < now() - interval '15 minutes' order by id limit 100`,
  },
  {
    check: 'no merge is stuck',
    sql: `select 'merge request ' || id as what from merge_requests where state = 'locked' and locked_at < now() - interval '15 minutes'`,
  },
  {
    // A job continues when its runner is removed; the watchdog ends jobs that have not been reported on for
    // 15 minutes.
    check: 'running CI jobs have a recent runner heartbeat',
    sql: `select 'CI job ' || id || case when runner_id is null then ' without a runner' else ' of runner ' || runner_id end as what
      from ci_jobs where kind = 'build' and status = 'running'
        and coalesce(runner_seen_at, started_at, updated_at) < now() - interval '20 minutes'`,
  },
  {
    check: 'bridges run no longer than their child',
    sql: `select 'CI bridge ' || b.id as what from ci_jobs b
      where b.kind = 'bridge' and b.status = 'running' and b.updated_at < now() - interval '15 minutes'
        and not exists (select 1 from ci_pipelines c where c.bridge_id = b.id
          and (c.status not in ('success', 'failed', 'canceled', 'skipped') or c.updated_at > now() - interval '15 minutes'))`,
  },
  {
    check: 'traces of finished CI jobs are archived',
    sql: `select 'trace of CI job ' || j.id as what from ci_jobs j
      where j.id in (select job_id from ci_trace_chunks) and j.status in ('success', 'failed', 'canceled', 'skipped')
        and coalesce(j.finished_at, j.updated_at) < now() - interval '1 hour'`,
  },
];
