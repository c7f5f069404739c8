import { isoTimeSql } from '#kernel/database/time.sql.js';
import { USER_EXTENDED_COLUMNS, type UserExtendedRow } from '#core/users/records/user-extended.record.js';
import { isUnexpiredSql } from '../artifacts/unexpired-artifact.sql.js';
import type { PipelineCommit } from '../pipelines/pipeline-commit.js';
import { PIPELINE_BASIC_COLUMNS, type PipelineBasicRow } from '../pipelines/records/pipeline-basic.record.js';
import { RUNNER_BASIC_COLUMNS, type RunnerBasicRow } from '../runners/runner-basic.record.js';
import type { JobKind } from './job.entity.js';
import type { CiStatus } from './job-status.js';

/** An artifact file as the record of its job lists it. */
export interface JobArtifactRow {
  readonly file_type: string;
  readonly size: number;
  readonly filename: string;
  readonly file_format: string | null;
}

/** All columns of a job record in one row, which may also be nested as JSON in another row. */
export interface JobRow extends UserExtendedRow, PipelineBasicRow, RunnerBasicRow {
  readonly id: number;
  readonly project_id: number;
  readonly kind: JobKind;
  readonly status: CiStatus;
  readonly stage: string;
  readonly name: string;
  readonly ref: string;
  readonly tag: boolean;
  readonly coverage: number | null;
  readonly allow_failure: boolean;
  readonly failure_reason: string | null;
  readonly waiting_reason: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly erased_at: string | null;
  /** In seconds; up to now while the job runs. */
  readonly duration: number | null;
  readonly queued_duration: number | null;
  readonly artifacts_expire_at: string | null;
  readonly tag_list: readonly string[];
  readonly artifacts: readonly JobArtifactRow[];
  readonly commit: PipelineCommit | null;
  readonly project_path: string;
  readonly job_token_scope: boolean;
}

/** Clocks may differ, so a duration is never negative. */
const seconds = (from: string, to: string): string =>
  `case when ${to} < ${from} then 0 else extract(epoch from ${to} - ${from})::float8 end`;

/** Select list of a `JobRow` over `JOB_FROM`. */
export const JOB_COLUMNS = `j.id, j.project_id, j.kind, j.status, j.stage, j.name, j.ref, j.tag, j.coverage, j.allow_failure,
  j.failure_reason, j.waiting_reason, ${isoTimeSql('j.created_at')} as created_at, ${isoTimeSql('j.started_at')} as started_at,
  ${isoTimeSql('j.finished_at')} as finished_at, ${isoTimeSql('j.erased_at')} as erased_at,
  ${seconds('j.started_at', 'coalesce(j.finished_at, now())')} as duration,
  ${seconds('j.queued_at', 'coalesce(j.started_at, j.finished_at, now())')} as queued_duration,
  ${isoTimeSql('j.artifacts_expire_at')} as artifacts_expire_at, j.tag_list,
  coalesce((select json_agg(json_build_object('file_type', a.file_type, 'size', a.size, 'filename', a.filename,
    'file_format', a.file_format) order by a.id) from ci_job_artifacts a where a.job_id = j.id and ${isUnexpiredSql('a')}), '[]') as artifacts,
  ${PIPELINE_BASIC_COLUMNS}, p.commit, ${RUNNER_BASIC_COLUMNS}, ${USER_EXTENDED_COLUMNS}, pr.full_path as project_path,
  coalesce((pr.settings ->> 'ci_job_token_scope_enabled')::boolean, false) as job_token_scope`;

/**
 * Jobs `j` with the tables of their rows. `= any(array[...])` is an equality that cannot be hashed: a hash
 * join would lose the order of the index that a list walks.
 */
export const JOB_FROM = `ci_jobs j join ci_pipelines p on p.id = any(array[j.pipeline_id])
  join projects pr on pr.id = any(array[j.project_id])
  left join ci_runners r on r.id = any(array[j.runner_id])
  left join users u on u.id = any(array[j.user_id])`;

/** SQL for the row of a job as JSON, null without an id; it costs nothing if there is no job. */
export const JOB_JSON_SQL = (jobId: string): string =>
  `(select row_to_json(job) from (select ${JOB_COLUMNS} from ${JOB_FROM} where j.id = ${jobId}) job)`;
