import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Decimal, Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import { presentUserExtended, UserExtendedRecord } from '#core/users/records/user-extended.record.js';
import { presentPipelineBasic, PipelineBasicRecord } from '../pipelines/records/pipeline-basic.record.js';
import { PipelineCommitRecord, presentPipelineCommit } from '../pipelines/records/pipeline-commit.record.js';
import { presentRunnerBasic, RunnerBasicRecord } from '../runners/runner-basic.record.js';
import { JobArchiveRecord, JobArtifactRecord, JobProjectRecord } from './job-parts.record.js';
import type { JobRow } from './job.row.js';
import { CI_STATUSES, type CiStatus } from './job-status.js';

/** Attributes that jobs and bridges share (`ci.md` 5.1). */
export class JobBasicRecord {
  @Id()
  id!: number;

  @OneOf(CI_STATUSES)
  status!: CiStatus;

  @Text()
  stage!: string;

  @Text()
  name!: string;

  @Text({ example: 'main' })
  ref!: string;

  @Flag({ description: 'Whether ref is a tag' })
  tag!: boolean;

  @Decimal({ nullable: true })
  coverage!: number | null;

  @Flag()
  allow_failure!: boolean;

  @IsoTime()
  created_at!: string;

  @IsoTime({ nullable: true })
  started_at!: string | null;

  @IsoTime({ nullable: true })
  finished_at!: string | null;

  @IsoTime({ nullable: true })
  erased_at!: string | null;

  @Decimal({ nullable: true, description: 'Seconds that it ran or has run so far' })
  duration!: number | null;

  @Decimal({ nullable: true, description: 'Seconds that it waited for a runner' })
  queued_duration!: number | null;

  @Nested(() => UserExtendedRecord, { nullable: true })
  user!: UserExtendedRecord | null;

  @Nested(() => PipelineCommitRecord, { nullable: true })
  commit!: PipelineCommitRecord | null;

  @Nested(() => PipelineBasicRecord)
  pipeline!: PipelineBasicRecord;

  @Text({ nullable: true, description: 'Why it has failed; null unless it has' })
  failure_reason!: string | null;

  @Text({
    nullable: true,
    description: 'Why it waits although its turn has come: a freeze period; null unless it does',
  })
  waiting_reason!: string | null;

  @Text()
  web_url!: string;

  @Nested(() => JobProjectRecord)
  project!: JobProjectRecord;
}

/** A job. */
export class JobRecord extends JobBasicRecord {
  @Text({ nullable: true, description: 'Where its archive is; null without one' })
  download_url!: string | null;

  @Nested(() => JobArchiveRecord, { optional: true, description: 'Only if there is an archive' })
  artifacts_file?: JobArchiveRecord;

  @ListOf(() => JobArtifactRecord)
  artifacts!: JobArtifactRecord[];

  @Nested(() => RunnerBasicRecord, { nullable: true })
  runner!: RunnerBasicRecord | null;

  @IsoTime({ nullable: true })
  artifacts_expire_at!: string | null;

  @Flag({ description: 'Whether it is too old to be retried; always false' })
  archived!: boolean;

  @List(Text())
  tag_list!: string[];
}

/**
 * Presents the attributes that jobs and bridges share; `seesCode`: whether the caller may read the code of
 * the job.
 */
export function presentJobBasic(row: JobRow, links: Links, seesCode: boolean): JobBasicRecord {
  const web = links.project(row.project_path);
  return {
    id: row.id,
    status: row.status,
    stage: row.stage,
    name: row.name,
    ref: row.ref,
    tag: row.tag,
    coverage: row.coverage,
    allow_failure: row.allow_failure,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    erased_at: row.erased_at,
    duration: row.duration,
    queued_duration: row.queued_duration,
    user: presentUserExtended(row, links),
    commit: row.commit && presentPipelineCommit(row.commit, web, seesCode),
    pipeline: presentPipelineBasic(row, web),
    failure_reason: row.status === 'failed' ? row.failure_reason : null,
    waiting_reason: row.waiting_reason,
    web_url: `${web}/-/jobs/${row.id}`,
    project: { ci_job_token_scope_enabled: row.job_token_scope },
  };
}

/** Presents a job; `seesCode` as in `presentJobBasic`. */
export function presentJob(row: JobRow, links: Links, seesCode: boolean): JobRecord {
  const archive = row.artifacts.find(({ file_type: type }) => type === 'archive');
  return Object.assign(presentJobBasic(row, links, seesCode), {
    download_url: archive ? links.api(`/projects/${row.project_id}/jobs/${row.id}/artifacts`) : null,
    ...(archive ? { artifacts_file: { filename: archive.filename, size: archive.size } } : {}),
    artifacts: row.artifacts.map((artifact) => ({ ...artifact })),
    runner: presentRunnerBasic(row),
    artifacts_expire_at: row.artifacts_expire_at,
    archived: false,
    tag_list: [...row.tag_list].sort(),
  });
}
