import { TAKES_INSTANCE_RUNNERS } from './instance-runners.sql.js';
import { partLevelSql } from '#core/projects/settings/part-level.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import type { RunnerType } from './runner.entity.js';

/** What decides which jobs a runner takes. */
export interface PickingRunner {
  readonly id: number;
  readonly type: RunnerType;
  readonly tags: readonly string[];
  readonly runUntagged: boolean;
  /** It takes jobs of protected branches and tags alone. */
  readonly onlyProtected: boolean;
  /** Seconds that it lets jobs run. */
  readonly maximumTimeout: number | null;
}

/**
 * Waiting jobs (`q`) that a runner with the tags $2 takes: $3 untagged ones too, $4 protected ones alone, $5 of so many seconds at least. No value
 * makes a part of it go, and so no plan cheaper: statements would be planned anew each time.
 */
const FITTING = `q.tag_list <@ $2::text[] and ($3::boolean or q.tag_list <> '{}') and (q.protected or not $4::boolean)
  and q.created_at <= clock_timestamp() - make_interval(secs => $5::float8)`;

/** Projects (`p`) whose jobs run. */
const LIVE = `not p.pending_delete and not p.archived and p.marked_for_deletion_at is null
  and ${partLevelSql('p', 'builds')} <> 'disabled'`;

/** Projects that are looked at for one request; where others are quicker everywhere, the runner asks again. */
const PROJECTS = 5;

/** The queue is read once, whatever the number of projects: it holds waiting jobs alone, and is small. */
const WAITING = `with waiting as materialized (
    select q.project_id, min(q.job_id) as job_id from ci_pending_jobs q where ${FITTING} group by q.project_id)
  select p.id from waiting w join projects p on p.id = w.project_id where ${LIVE}`;

/** Shared by all projects: who has fewest jobs running comes first. */
const FOR_INSTANCE = `${WAITING} and ${TAKES_INSTANCE_RUNNERS} and $1::bigint is not null
  order by (select count(*) from ci_jobs r where r.project_id = p.id and r.kind = 'build' and r.status = 'running'), w.job_id
  limit ${PROJECTS}`;

const FOR_GROUP = `${WAITING} and coalesce((p.settings ->> 'group_runners_enabled')::boolean, true)
    and exists (select 1 from namespaces n join ci_runner_groups g on g.runner_id = $1
      where n.id = p.namespace_id and n.traversal_ids @> array[g.group_id])
  order by w.job_id limit ${PROJECTS}`;

/** Few projects, of which most have nothing to do: each is asked for its oldest job. */
const FOR_PROJECTS = `select p.id from ci_runner_projects rp join projects p on p.id = rp.project_id
  cross join lateral (select q.job_id from ci_pending_jobs q where q.project_id = rp.project_id and ${FITTING}
    order by q.job_id limit 1) w
  where rp.runner_id = $1 and ${LIVE} order by w.job_id limit ${PROJECTS}`;

/** Ids of projects with something to do for a runner, best first; values: `pickingValues`. */
export const CANDIDATES: Readonly<Record<RunnerType, string>> = {
  instance_type: FOR_INSTANCE,
  group_type: FOR_GROUP,
  project_type: FOR_PROJECTS,
};

/**
 * Takes the oldest fitting job of the project $1 that nobody else is about to take: out of the queue, and running from here on. Who cancels a
 * job waits for the row of the queue, and sees afterwards what has become of it. It may run if whoever it is for may act. Its definition and how many
 * others the project has on instance runners (up to $10) come along.
 */
export const TAKE = `with taken as (
    select q.job_id from ci_pending_jobs q where q.project_id = $1 and ${FITTING}
    order by q.job_id limit 1 for update skip locked),
  gone as (delete from ci_pending_jobs d using taken where d.job_id = taken.job_id),
  started as (
    update ci_jobs j set status = 'running', runner_id = $6, token_digest = $7, started_at = now(), runner_seen_at = now(),
      updated_at = now(), timeout = least(coalesce((d.definition ->> 'timeout')::integer,
        (p.settings ->> 'build_timeout')::integer, $9::integer), $8::integer)
    from taken, ci_job_definitions d, projects p
    where j.id = taken.job_id and j.status = 'pending' and d.job_id = j.id and p.id = j.project_id
    returning j.id, j.user_id, d.definition, d.play_variables)
  select taken.job_id as "jobId", started.id is not null as "isStarted", u.id is not null as "mayRun", started.definition,
    started.play_variables as "playVariables",
    (select count(*) from (select 1 from ci_jobs j join ci_runners r on r.id = j.runner_id and r.runner_type = 'instance_type'
      where j.project_id = $1 and j.kind = 'build' and j.status = 'running' limit $10) counted) as "others"
  from taken left join started on started.id = taken.job_id left join users u on u.id = started.user_id and ${isActiveSql('u')}`;

/** Values $1 to $5 of the statements above; `first` is the runner or the project. */
export const pickingValues = (
  first: number,
  { tags, runUntagged, onlyProtected }: PickingRunner,
  jobAge: number,
): unknown[] => [first, tags, runUntagged, onlyProtected, jobAge];
