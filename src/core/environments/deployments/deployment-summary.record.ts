import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import type { JobSight } from '#core/ci/jobs/job-access.js';
import { JOB_JSON_SQL, type JobRow } from '#core/ci/jobs/job.row.js';
import { JobRecord, presentJob } from '#core/ci/jobs/job.record.js';
import { presentUserIn, UserBasicRecord, type PrefixedUser } from '#core/users/records/user-basic.record.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** Statuses of deployments (`api-v4.md` 3.1). */
export const DEPLOYMENT_STATUSES = [
  'created',
  'running',
  'success',
  'failed',
  'canceled',
  'blocked',
] as const;

/** Status of a deployment. */
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/**
 * A deployment without its environment: the part that all forms share, and the last deployment in records of
 * environments.
 */
export class DeploymentSummaryRecord {
  @Id()
  id!: number;

  @Id({ description: 'Number within the project' })
  iid!: number;

  @Text({ example: 'main' })
  ref!: string;

  @Text({ example: 'a91957a858320c0e17f3a0eca7cfacbff50ea29a' })
  sha!: string;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @OneOf(DEPLOYMENT_STATUSES)
  status!: DeploymentStatus;

  @Nested(() => UserBasicRecord, { nullable: true })
  user!: UserBasicRecord | null;

  @Nested(() => JobRecord, {
    nullable: true,
    description:
      'The job that created it; null for deployments created through the API, and for callers who may not read jobs',
  })
  deployable!: JobRecord | null;
}

/** Row of the summary: columns of deployments `d` and users `u`. */
export interface DeploymentSummaryRow extends PrefixedUser<'u_'> {
  readonly id: number;
  readonly iid: number;
  readonly ref: string;
  readonly sha: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly status: DeploymentStatus;
  readonly job: JobRow | null;
}

const columnsWith = (
  job: string,
): string => `d.id, d.iid, d.ref, d.sha, ${isoTimeSql('d.created_at')} as created_at, ${isoTimeSql('d.updated_at')} as updated_at,
  d.status, ${userColumns('u', 'u_')}, ${job} as job`;

/** Select list of a deployment `d` by the user `u`, without its environment. */
export const DEPLOYMENT_COLUMNS = columnsWith(
  `case when d.job_id is not null then ${JOB_JSON_SQL('d.job_id')} end`,
);

/** Select list of a deployment without a job. */
export const JOBLESS_DEPLOYMENT_COLUMNS = columnsWith('null::jsonb');

/** Presents the user of a row; null if there is none. */
export const presentDeployer = (row: DeploymentSummaryRow, links: Links): UserBasicRecord | null =>
  presentUserIn(row, 'u_', links);

/** Presents a deployment without its environment, with the parts of its job that the caller may see. */
export function presentDeploymentSummary(
  row: DeploymentSummaryRow,
  links: Links,
  sight: JobSight,
): DeploymentSummaryRecord {
  return {
    id: row.id,
    iid: row.iid,
    ref: row.ref,
    sha: row.sha,
    created_at: row.created_at,
    updated_at: row.updated_at,
    status: row.status,
    user: presentDeployer(row, links),
    deployable: row.job && sight.jobs ? presentJob(row.job, links, sight.code) : null,
  };
}
