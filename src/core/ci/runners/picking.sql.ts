import { TAKES_INSTANCE_RUNNERS } from './instance-runners.sql.js';
import { partLevelSql } from '#core/projects/settings/part-level.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import type { RunnerType } from './runner.entity.js';

/** Facts of a runner that decide which jobs it takes. */
export interface PickingRunner {
  readonly id: number;
  readonly type: RunnerType;
  readonly tags: readonly string[];
  readonly runUntagged: boolean;
  /** Takes only jobs of protected refs. */
  readonly onlyProtected: boolean;
  /** Timeout of its jobs in seconds. */
  readonly maximumTimeout: number | null;
}

/** Whether a runner takes jobs of that kind: $2 its tags, $3 takes untagged jobs, $4 takes only protected jobs. */
const fits = (kind: string): string =>
  `${kind}.tag_list <@ $2::text[] and ($3::boolean or ${kind}.tag_list <> '{}') and (${kind}.protected or not $4::boolean)`;

/** Whether a waiting job (`q`) is old enough: $5 minimum age in seconds. */
const OLD_ENOUGH = 'q.created_at <= clock_timestamp() - make_interval(secs => $5::float8)';

/**
 * Waiting jobs (`q`) for a runner: of a kind that it takes, and old enough. No condition depends on whether a value is given, so that the
 * statement keeps one plan.
 */
const FITTING = `${fits('q')} and ${OLD_ENOUGH}`;

/** Groups waiting jobs by their tags: the index holds them in this form, since lists of tags can be longer than its entries. */
const KIND = 'hash_array_extended(q.tag_list, 0)';

/** The columns of the index, but for the id of the job. */
const SORT_KEY = `q.project_id, ${KIND}, q.protected`;

const [LEAST, MOST] = ['-9223372036854775808', '9223372036854775807'];

/**
 * Condition of the kinds of a project; a range, like the next one, so that only this index has rows in that order: outdated statistics
 * of the table cannot mislead the planner.
 */
const ofProject = (project: string): string =>
  `(${SORT_KEY}) >= (${project}, ${LEAST}, false) and (${SORT_KEY}) <= (${project}, ${MOST}, true)`;

/**
 * The oldest jobs of one kind (`kind`) of a project. The reader checks again whether they fit, since two lists of tags may have one hash:
 * here, the planner would take `fits` for rare, and read the whole table for it.
 */
const oldestOfKind = (
  project: string,
  kind: string,
  most: number,
): string => `select q.job_id, q.tag_list, q.protected from ci_pending_jobs q
  where (${SORT_KEY}, q.job_id) >= (${project}, ${kind}.kind, ${kind}.protected, 0)
    and (${SORT_KEY}, q.job_id) <= (${project}, ${kind}.kind, ${kind}.protected, ${MOST}) and ${OLD_ENOUGH}
  order by ${SORT_KEY}, q.job_id limit ${most}`;

/**
 * The oldest fitting jobs of a project, by steps through the index from one kind of its waiting jobs to the
 * next: a runner reads no jobs of kinds that it cannot take, however many wait.
 */
const oldestOf = (project: string, most: number): string => `with recursive kinds as (
    (select q.tag_list, ${KIND} as kind, q.protected from ci_pending_jobs q where ${ofProject(project)} order by ${SORT_KEY} limit 1)
    union all
    select following.* from kinds k cross join lateral (
      select q.tag_list, ${KIND} as kind, q.protected from ci_pending_jobs q
        where (${SORT_KEY}) > (${project}, k.kind, k.protected) and ${ofProject(project)} order by ${SORT_KEY} limit 1) following)
  select oldest.job_id from kinds k cross join lateral (${oldestOfKind(project, 'k', most)}) oldest
    where ${fits('k')} and ${fits('oldest')} order by oldest.job_id limit ${most}`;

/** Jobs among which a runner takes the oldest that no other is taking. */
const AT_ONCE = 30;

/** Projects (`p`) whose jobs may run. */
const LIVE = `not p.pending_delete and not p.archived and p.marked_for_deletion_at is null
  and ${partLevelSql('p', 'builds')} <> 'disabled'`;

/** Projects tried per request; if others are faster on all of them, the runner asks again. */
const PROJECTS = 5;

/** Kinds of jobs of projects that are read first. */
const LOOKED_AT = 1_000;

const STEP = `q.project_id, q.tag_list, ${KIND} as kind, q.protected`;

/**
 * The first projects with waiting jobs for which `condition` holds, with the kinds of these jobs, by steps
 * through the index; `name`: of this query.
 */
const steps = (name: string, condition: string, most: string): string => `${name} as (
    (select ${STEP}, 1 as number from ci_pending_jobs q where ${condition} and ${most} > 0 order by ${SORT_KEY} limit 1)
    union all
    select following.*, s.number + 1 from ${name} s cross join lateral (
      select ${STEP} from ci_pending_jobs q
        where (${SORT_KEY}) > (s.project_id, s.kind, s.protected) and ${condition} order by ${SORT_KEY} limit 1) following
    where s.number < ${most})`;

/**
 * The oldest fitting job of each project with waiting jobs. Steps from project to project, and from kind to kind, through the
 * index, so that a queue of 100,000 jobs costs no more than a short one. Of more than `LOOKED_AT`, those
 * from a random one on are read, so that all are served in time; the queue is read as a whole only if no job of
 * these fits. `condition`: which projects the runner serves.
 */
const found = (condition: string): string => `with recursive
  start as materialized (select floor(max(q.project_id) * random())::bigint as id from ci_pending_jobs q),
  ${steps('later', 'q.project_id >= (select id from start)', `${LOOKED_AT + 1}`)},
  left_over as materialized (select ${LOOKED_AT + 1} - count(*) as number from later),
  ${steps('earlier', 'q.project_id < (select id from start)', '(select number from left_over)')},
  looked_at as materialized (select * from later union all select * from earlier),
  found as materialized (
    select p.id, min(oldest.job_id) as job_id from (select * from looked_at limit ${LOOKED_AT}) l cross join lateral (
      ${oldestOfKind('l.project_id', 'l', 1)}) oldest
      join projects p on p.id = l.project_id where ${fits('l')} and ${fits('oldest')} and ${LIVE} and ${condition} group by p.id),
  others as (
    select q.project_id, min(q.job_id) as job_id from ci_pending_jobs q
      where (select count(*) > ${LOOKED_AT} from looked_at) and not exists (select 1 from found) and ${FITTING} group by q.project_id),
  waiting as (
    select id, job_id from found union all
    select p.id, o.job_id from others o join projects p on p.id = o.project_id where ${LIVE} and ${condition})
  select w.id from waiting w`;

/**
 * The running jobs (`r`) of a project, in the order of its jobs by status. The index of all running jobs cannot answer a range: the planner took it
 * for each of a thousand projects, where the table had been analyzed while hardly a job was running.
 */
const runningOf = (project: string): string => `select r.runner_id from ci_jobs r
  where r.project_id = ${project} and r.kind = 'build' and r.status >= 'running' and r.status <= 'running' order by r.status`;

/** Fair share: projects with the fewest running jobs come first. */
const FOR_INSTANCE = `${found(`${TAKES_INSTANCE_RUNNERS} and $1::bigint is not null`)}
  order by (select count(*) from (${runningOf('w.id')}) running), w.job_id
  limit ${PROJECTS}`;

const OF_GROUP = `coalesce((p.settings ->> 'group_runners_enabled')::boolean, true)
  and exists (select 1 from namespaces n join ci_runner_groups g on g.runner_id = $1
    where n.id = p.namespace_id and n.traversal_ids @> array[g.group_id])`;

const FOR_GROUP = `${found(OF_GROUP)} order by w.job_id limit ${PROJECTS}`;

/** Few projects, most without waiting jobs: looks up the oldest job of each. */
const FOR_PROJECTS = `select p.id from ci_runner_projects rp join projects p on p.id = rp.project_id
  cross join lateral (${oldestOf('rp.project_id', 1)}) w
  where rp.runner_id = $1 and ${LIVE} order by w.job_id limit ${PROJECTS}`;

/** Ids of projects with jobs for a runner, best first; values: `pickingValues`. */
export const CANDIDATES: Readonly<Record<RunnerType, string>> = {
  instance_type: FOR_INSTANCE,
  group_type: FOR_GROUP,
  project_type: FOR_PROJECTS,
};

/**
 * Takes the oldest matching job of project $1 that no other runner is taking: removes it from the queue and
 * marks it as running. A cancellation waits for the pending row, and then sees the new status. Also reads
 * whether its user is active, its definition, and the number of running jobs of the project on instance
 * runners (up to $10).
 */
export const TAKE = `with taken as (
    select q.job_id from ci_pending_jobs q where q.job_id = any(array(${oldestOf('$1', AT_ONCE)})) and ${FITTING}
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
    (select count(*) from (select 1 from (${runningOf('$1')}) j join ci_runners r on r.id = j.runner_id and r.runner_type = 'instance_type'
      limit $10) counted) as "others"
  from taken left join started on started.id = taken.job_id left join users u on u.id = started.user_id and ${isActiveSql('u')}`;

/** Values $1 to $5 of these statements; `first` is the runner or the project. */
export const pickingValues = (
  first: number,
  { tags, runUntagged, onlyProtected }: PickingRunner,
  jobAge: number,
): unknown[] => [first, tags, runUntagged, onlyProtected, jobAge];
