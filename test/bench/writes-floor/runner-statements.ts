import { ROLE } from './access.js';
import { statement } from './database.js';

/** The runner that requests a job. */
export interface Runner {
  readonly id: number;
  readonly description: string;
  readonly paused: boolean;
  readonly tags: string[];
  readonly untagged: boolean;
  readonly protected_only: boolean;
  readonly maximum_timeout: number | null;
}

/** The job that it gets. */
export interface TakenJob {
  readonly id: number;
  readonly name: string;
  readonly stage: string;
  readonly stage_index: number;
  readonly project_id: number;
  readonly pipeline_id: number;
  readonly user_id: number;
  readonly ref: string;
  readonly tag: boolean;
  readonly protected: boolean;
  readonly timeout: number;
  readonly queued_at: Date;
  readonly started_at: Date;
}

/** Its pipeline, locked. */
export interface LockedPipeline {
  readonly id: number;
  readonly iid: number;
  readonly sha: string;
  readonly before_sha: string;
  readonly source: string;
  readonly status: string;
  readonly ref: string;
  readonly tag: boolean;
  readonly project_id: number;
  readonly user_id: number | null;
  readonly parent_id: number | null;
  readonly protected: boolean;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly is_active: boolean;
  /** Status of the previous pipeline of the ref. */
  readonly before: string | null;
}

/** Variables of a job about its project and its user. */
export interface JobPlace {
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly description: string | null;
  readonly visibility: string;
  readonly default_branch: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly namespace_id: number;
  readonly namespace_path: string;
  readonly user_id: number | null;
  readonly username: string;
  readonly user_name: string;
  readonly email: string;
  readonly role: number;
  readonly running: number;
  readonly requests: string[];
  readonly definition: { readonly script: string[]; readonly timeout: number | null };
}

export const RUNNER = statement<Runner>(
  'runner',
  `select id, description, paused, tag_list as tags, run_untagged as untagged, access_level = 'ref_protected' as protected_only, maximum_timeout
   from ci_runners where token_digest = $1 and runner_type = 'instance_type' and (token_expires_at is null or token_expires_at > now())`,
);

const SUITS = `q.tag_list <@ $2::text[] and ($3::boolean or q.tag_list <> '{}') and (q.protected or not $4::boolean)`;

/** The project that is next: the one with the fewest jobs of these that run. */
export const NEXT = statement<{ id: number }>(
  'next project',
  `with waiting as materialized (select q.project_id, min(q.job_id) as job_id from ci_pending_jobs q where ${SUITS} and $1::bigint is not null group by q.project_id)
   select p.id from waiting w join projects p on p.id = w.project_id where not p.pending_delete and not p.archived and p.marked_for_deletion_at is null
     and 'disabled' not in (coalesce(p.settings->>'builds_access_level', 'enabled'), coalesce(p.settings->>'repository_access_level', 'enabled'))
     and exists (select 1 from namespaces n where n.id = p.namespace_id
       and not exists (select 1 from namespaces g where g.id = any(n.traversal_ids) and g.settings ->> 'shared_runners_setting' = 'disabled_and_unoverridable')
       and coalesce((p.settings ->> 'shared_runners_enabled')::boolean,
         not exists (select 1 from namespaces g where g.id = any(n.traversal_ids) and g.settings ->> 'shared_runners_setting' <> 'enabled')))
   order by (select count(*) from ci_jobs r where r.project_id = p.id and r.kind = 'build' and r.status = 'running'), w.job_id limit 1`,
);

/** Takes a job in its own transaction, because a transaction that locks its pipeline may wait for it. */
export const TAKE = statement<TakenJob>(
  'take',
  `with taken as (select q.job_id from ci_pending_jobs q where q.project_id = $1 and ${SUITS} order by q.job_id limit 1 for update skip locked),
   gone as (delete from ci_pending_jobs d using taken where d.job_id = taken.job_id)
   update ci_jobs j set status = 'running', runner_id = $5, token_digest = $6, started_at = now(), runner_seen_at = now(), updated_at = now(),
     timeout = least(coalesce((d.definition ->> 'timeout')::integer, (p.settings ->> 'build_timeout')::integer, 3600), $7::integer)
   from taken, ci_job_definitions d, projects p where j.id = taken.job_id and j.status = 'pending' and d.job_id = j.id and p.id = j.project_id
   returning j.id, j.name, j.stage, j.stage_index, j.project_id, j.pipeline_id, j.user_id, j.ref, j.tag, j.protected, j.timeout, j.queued_at, j.started_at`,
);

export const PIPELINE = statement<LockedPipeline>(
  'lock pipeline',
  `select x.id, x.iid, x.sha, x.before_sha, x.source, x.status, x.ref, x.tag, x.project_id, x.user_id, x.parent_id, x.protected, x.created_at, x.started_at,
     exists (select 1 from users u where u.id = x.user_id and u.state = 'active' and not u.pending_delete and u.user_type <> 'ghost'
       and not (u.user_type = 'human' and coalesce(u.password_expires_at <= now(), false))) as is_active,
     (select b.status from ci_pipelines b where b.project_id = x.project_id and b.ref = x.ref and b.tag = x.tag and b.id < x.id and b.parent_id is null
       and b.status in ('success', 'failed') order by b.id desc limit 1) as before
   from ci_pipelines x where x.id = $1 for update of x`,
);

export const PIPELINE_JOBS = statement<{ id: number; status: string; allowFailure: boolean; started_at: Date | null; finished_at: Date | null }>(
  'jobs of pipeline',
  'select id, status, allow_failure as "allowFailure", started_at, finished_at from ci_jobs where pipeline_id = $1 and not retried order by stage_index, id',
);

export const MOVE_PIPELINE = statement(
  'move pipeline',
  'update ci_pipelines set status = $2, updated_at = $3, started_at = coalesce(started_at, $3), finished_at = $4, duration = $5 where id = $1',
);

export const PLACE = statement<JobPlace>(
  'place of job',
  `select p.name, p.path, p.full_path, p.description, p.visibility, p.default_branch, p.settings, n.id as namespace_id, n.full_path as namespace_path,
     u.id as user_id, u.username, u.name as user_name, u.email, ${ROLE} as role,
     (select count(*) from (select 1 from ci_jobs j join ci_runners r on r.id = j.runner_id and r.runner_type = 'instance_type'
       where j.project_id = p.id and j.kind = 'build' and j.status = 'running' and j.id <> $2 limit 5) counted) as running,
     array(select q.full_path || '!' || m.iid from merge_requests m join projects q on q.id = m.project_id
       where m.source_project_id = p.id and m.source_branch = $4 and m.state = 'opened' order by m.id desc limit 4) as requests, d.definition
   from projects p join namespaces n on n.id = p.namespace_id join ci_job_definitions d on d.job_id = $2
     left join users u on u.id = $3 and u.state = 'active' and not u.pending_delete and u.user_type <> 'ghost' where p.id = $1`,
);

export const DOTENV = statement<{ key: string; value: string }>(
  'dotenv',
  `select v.key, v.value from ci_jobs j join ci_job_variables v on v.job_id = j.id
   where j.pipeline_id = $1 and not j.retried and j.id <> $2 and j.status = 'success' and j.stage_index <= $3 order by j.stage_index, j.id, v.key`,
);

export const VARIABLES = statement<{ key: string; value: Buffer; masked: boolean; raw: boolean }>(
  'variables',
  `select v.* from projects p join namespaces n on n.id = p.namespace_id cross join lateral (
     select 0 as depth, i.* from ci_variables i where i.owner_type = 'Instance' and i.owner_id = 0
     union all select array_position(n.traversal_ids, g.owner_id), g.* from ci_variables g where g.owner_type = 'Group' and g.owner_id = any(n.traversal_ids)
     union all select cardinality(n.traversal_ids) + 1, o.* from ci_variables o where o.owner_type = 'Project' and o.owner_id = p.id) v
   where p.id = $1 and (not v.protected or $2::boolean) order by v.depth, v.id`,
);

export const FREEZES = statement('freezes', 'select freeze_start, freeze_end, cron_timezone from freeze_periods where project_id = $1 order by created_at, id');

export const ARTIFACTS = statement<{ id: number; name: string; filename: string | null; size: number | null }>(
  'artifacts',
  `select j.id, j.name, a.filename, a.size from ci_jobs j left join ci_job_artifacts a on a.job_id = j.id and a.file_type = 'archive'
     and (a.kept or a.locked or a.expire_at is null or a.expire_at > now())
   where j.pipeline_id = $1 and j.kind = 'build' and not j.retried and j.status = 'success' and j.stage_index < $2 order by j.id`,
);

/** A repository that moves is not written to. */
export const BEGIN_PUSH = statement<{ id: string }>(
  'begin push',
  `with owner as materialized (select id from projects where id = $2 and repository_storage = 'default' and not repository_read_only for share)
   insert into running_pushes (id, repository_id) select $1, r.id from owner join repositories r on r.owner_type = 'Project' and r.owner_id = owner.id and r.kind = 'code'
   returning id`,
);

export const END_PUSH = statement('end push', 'delete from running_pushes where id = $1');
