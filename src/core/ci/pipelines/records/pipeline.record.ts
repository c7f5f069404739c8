import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import { presentUserIn, UserBasicRecord, type PrefixedUser } from '#core/users/records/user-basic.record.js';
import { detailedStatus, DetailedStatusRecord } from '../detailed-status.js';
import {
  PIPELINE_BASIC_COLUMNS,
  PipelineBasicRecord,
  presentPipelineBasic,
  type PipelineBasicRow,
} from './pipeline-basic.record.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** A pipeline with all attributes. */
export class PipelineRecord extends PipelineBasicRecord {
  @Text()
  before_sha!: string;

  @Flag({ description: 'Whether ref is a tag' })
  tag!: boolean;

  @Text({ nullable: true, description: 'Errors of its configuration' })
  yaml_errors!: string | null;

  @Nested(() => UserBasicRecord, { nullable: true })
  user!: UserBasicRecord | null;

  @IsoTime({ nullable: true })
  started_at!: string | null;

  @IsoTime({ nullable: true })
  finished_at!: string | null;

  @IsoTime({ nullable: true })
  committed_at!: string | null;

  @Count({ nullable: true, description: 'Seconds' })
  duration!: number | null;

  @Count({ nullable: true, description: 'Seconds until its first job ran' })
  queued_duration!: number | null;

  @Text({ nullable: true, example: '98.50', description: 'Mean of its jobs, in percent' })
  coverage!: string | null;

  @Nested(() => DetailedStatusRecord)
  detailed_status!: DetailedStatusRecord;
}

/** Row of a `PipelineRecord`. */
export interface PipelineRow extends PipelineBasicRow, PrefixedUser<'u_'> {
  readonly before_sha: string;
  readonly tag: boolean;
  readonly yaml_errors: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly committed_at: string | null;
  readonly duration: number | null;
  readonly queued_duration: number | null;
  readonly coverage: number | null;
  readonly has_warnings: boolean;
}

const JOBS = 'from ci_jobs j where j.pipeline_id = p.id and not j.retried';

/** Limit of the column; `least` with a null is this, so what may be null needs a condition. */
const MAX_SECONDS = 2_147_483_647;

/** Duration of a pipeline `p`. Release 1.0.0-rc.1 stored the maximum for pipelines of which no job had run. */
export const PIPELINE_DURATION_SQL = `case when p.started_at is not null or p.duration < ${MAX_SECONDS} then p.duration end`;

/** Select list of a `PipelineRow`, for a pipeline `p` and its user `u`. */
export const PIPELINE_COLUMNS = `${PIPELINE_BASIC_COLUMNS}, p.before_sha, p.tag, p.yaml_errors,
  ${PIPELINE_DURATION_SQL} as duration,
  ${isoTimeSql('p.started_at')} as started_at, ${isoTimeSql('p.finished_at')} as finished_at,
  ${isoTimeSql('p.committed_at')} as committed_at,
  case when p.started_at < p.created_at then 0
    when p.started_at is not null then least(floor(extract(epoch from p.started_at - p.created_at)), ${MAX_SECONDS})::int
    end as queued_duration,
  (select avg(j.coverage) ${JOBS}) as coverage,
  exists (select 1 ${JOBS} and j.allow_failure and j.status in ('failed', 'canceled')) as has_warnings,
  ${userColumns('u', 'u_')}`;

/** Tables of `PIPELINE_COLUMNS`. */
export const PIPELINE_FROM = 'ci_pipelines p left join users u on u.id = p.user_id';

/** Presents the pipeline of a row; `projectWeb` is the page of the project. */
export function presentPipeline(row: PipelineRow, projectWeb: string, links: Links): PipelineRecord {
  const basic = presentPipelineBasic(row, projectWeb);
  return Object.assign(basic, {
    before_sha: row.before_sha,
    tag: row.tag,
    yaml_errors: row.yaml_errors,
    user: presentUserIn(row, 'u_', links),
    started_at: row.started_at,
    finished_at: row.finished_at,
    committed_at: row.committed_at,
    duration: row.duration,
    queued_duration: row.queued_duration,
    coverage: row.coverage === null ? null : row.coverage.toFixed(2),
    detailed_status: detailedStatus(row.p_status, row.has_warnings, basic.web_url),
  });
}
