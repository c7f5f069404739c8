import { letGoEarly, runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { jobOrigin } from '#kernel/log/request-context.js';
import { enqueueSql, type JobsOfRows } from '#kernel/queue/jobs.js';
import { JOBLESS_DEPLOYMENT_COLUMNS } from '#core/environments/deployments/deployment-summary.record.js';
import { ENVIRONMENT_BASIC_COLUMNS } from '#core/environments/environment-basic.record.js';
import { isProtectedSql } from '#core/environments/protection/protection.sql.js';
import { nextIidSql } from '#core/iids/internal-ids.service.js';
import { RefreshDeploymentRefsJob } from './refs/deployment-refs.job.js';
import { repositoryOfSql } from './refs/deployment-refs.contribution.js';
import type { StatusEffects } from './deployment-state.js';
import type { Deployment } from './deployment.entity.js';
import type { DeploymentRow } from './deployment.record.js';
import { LinkMergeRequestsJob } from './merge-requests/link-merge-requests.job.js';

/** What an environment runs: its success with the latest finishing time. */
const lastSuccessSql = (environmentId: string, condition = 'true'): string =>
  `select id, ref, sha, tag from deployments where environment_id = ${environmentId} and status = 'success' and ${condition}
    order by finished_at desc, iid desc limit 1`;

const LAST_SUCCESS = lastSuccessSql('$1');

const ENVIRONMENT_STATE = `select ${isProtectedSql('e.project_id', 'e.name', 'e.tier')} as "isProtected",
    exists (${repositoryOfSql('e.project_id')}) as "hasRepository", s.id, s.ref, s.sha, s.tag
  from environments e left join lateral (${lastSuccessSql('e.id', '$3::boolean')}) s on true
  where e.project_id = $1 and e.name = $2`;

const LOCK = `select d.id, d.iid, d.status, d.job_id as "jobId", d.updated_at as "updatedAt",
    ${isProtectedSql('e.project_id', 'e.name', 'e.tier')} as "isProtected"
  from deployments d join environments e on e.id = d.environment_id where d.id = $2 and d.project_id = $1 for update of d`;

/** Projects without merge requests skip linking them. */
const linking = (isSuccess: string): JobsOfRows => ({
  job: LinkMergeRequestsJob,
  payload: `jsonb_build_object('deploymentId', d.id)`,
  from: `written d where ${isSuccess}::boolean and exists (select 1 from merge_requests m where m.project_id = d.project_id)`,
});

const keeping = (slug: string): JobsOfRows => ({
  job: RefreshDeploymentRefsJob,
  payload: `jsonb_build_object('projectId', d.project_id, 'slug', ${slug}::text, 'iid', d.iid)`,
  from: `written d where ${slug}::text is not null`,
});

/** Response, with the number of new jobs for the workers. */
const PRESENTED = `select ${JOBLESS_DEPLOYMENT_COLUMNS}, ${ENVIRONMENT_BASIC_COLUMNS}, (select count(*) from queued) as queued
  from written d join environments e on e.id = d.environment_id left join users u on u.id = d.user_id`;

/**
 * Takes the number in the same statement: deployments to other environments of the project wait only for this
 * statement and the commit.
 */
const INSERT = `with number as (${nextIidSql('$1', `'deployments'`)}),
  written as (insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status, finished_at, created_at, updated_at)
    select $1, $2, number.last_value, $3, $4, $5, $6, $7, case when $8::boolean then clock_timestamp() end, clock_timestamp(), clock_timestamp()
    from number returning *),
  queued as (${enqueueSql([linking('$9'), keeping('$10')], '$11::text')})
  ${PRESENTED}`;

/**
 * Uses the database clock under the lock of the environment, so that times increase in the order of changes.
 */
const UPDATE = `with written as (update deployments set status = $2, updated_at = clock_timestamp(),
      finished_at = case when $3::boolean then clock_timestamp() end
    where id = $1 returning *),
  queued as (${enqueueSql([linking('$4')], '$5::text')})
  ${PRESENTED}`;

/** State of a locked environment: its protection, last success, and whether its project has a repository. */
export interface EnvironmentState {
  readonly isProtected: boolean;
  readonly hasRepository: boolean;
  /** The last success; null if there is none, or it was not requested. */
  readonly id: number | null;
  readonly ref: string | null;
  readonly sha: string | null;
  readonly tag: boolean | null;
}

/** A locked deployment, and whether its environment is protected. */
export type LockedDeployment = Pick<Deployment, 'id' | 'iid' | 'status' | 'jobId' | 'updatedAt'> &
  Pick<EnvironmentState, 'isProtected'>;

/** A deployment to insert, after all checks. */
export interface NewDeployment extends Pick<
  Deployment,
  'projectId' | 'environmentId' | 'userId' | 'ref' | 'sha' | 'tag' | 'status'
> {
  readonly effects: StatusEffects | null;
  /** Slug of the environment, if there is a repository in which to keep the commit. */
  readonly keptUnder: string | null;
  /** Whether other requests also wait for numbers. */
  readonly isCrowded: boolean;
}

/** A deployment in the form of its response. */
export type WrittenDeployment = DeploymentRow & { readonly queued: number };

/** Returns the deployment, which is written with the commit. */
export type WrittenLater = () => Promise<WrittenDeployment>;

/** Returns the environment with a name and its state; undefined if there is none. */
export async function environmentStateOf(
  tx: Tx,
  projectId: number,
  name: string,
  wantsLast: boolean,
): Promise<EnvironmentState | undefined> {
  return (await tx.query<EnvironmentState[]>(ENVIRONMENT_STATE, [projectId, name, wantsLast]))[0];
}

/** Returns the deployment that an environment runs. */
export async function lastSuccessId(tx: Tx, environmentId: number): Promise<number | undefined> {
  return (await tx.query<{ id: number }[]>(LAST_SUCCESS, [environmentId]))[0]?.id;
}

/** Locks a deployment, whose environment must already be locked; undefined if it does not exist. */
export async function lockDeployment(
  tx: Tx,
  projectId: number,
  id: number,
): Promise<LockedDeployment | undefined> {
  return (await tx.query<LockedDeployment[]>(LOCK, [projectId, id]))[0];
}

/**
 * Inserts a deployment and its jobs in one round trip with the commit of `tx`: others wait for its number,
 * but not for further round trips. The returned function gives its row.
 */
export async function insertDeployment(tx: Tx, made: NewDeployment): Promise<WrittenLater> {
  const { effects } = made;
  if (made.isCrowded) await letGoEarly(tx);
  return rowOf(
    await runWithNext<WrittenDeployment>(tx, INSERT, [
      ...[made.projectId, made.environmentId, made.userId, made.ref, made.sha, made.tag, made.status],
      effects?.finishedAt === 'now',
      effects?.restartsEnvironment === true,
      made.keptUnder,
      jobOrigin(),
    ]),
  );
}

/**
 * Sets the status of a locked deployment and inserts its jobs, in one round trip with the commit of `tx`,
 * like a new one.
 */
export async function setDeploymentStatus(
  tx: Tx,
  id: number,
  status: Deployment['status'],
  effects: StatusEffects,
): Promise<WrittenLater> {
  return rowOf(
    await runWithNext<WrittenDeployment>(tx, UPDATE, [
      ...[id, status, effects.finishedAt === 'now', effects.restartsEnvironment],
      jobOrigin(),
    ]),
  );
}

const rowOf =
  (rows: () => Promise<WrittenDeployment[]>): WrittenLater =>
  async () => {
    const [row] = await rows();
    if (!row) throw new Error('A deployment that is written has a row');
    return row;
  };
