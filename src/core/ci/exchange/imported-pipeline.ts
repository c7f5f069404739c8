import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import { entriesOf, userIdsIn } from '#core/exchange/source-ids.js';
import {
  flagIn,
  iidIn,
  integerIn,
  recordsIn,
  textIn,
  timeIn,
  wordIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { commitIn, isFullSha, refIn } from '#core/repositories/source-refs.js';
import { isFinished, type CiStatus } from '../jobs/job-status.js';
import { PIPELINE_SOURCES, type PipelineSource } from '../pipelines/pipeline.entity.js';
import { JOB_LISTS, jobOf, type ImportedJob } from '../exchange/imported-job.js';

const MAX_TEXT = 255;
const MAX_ERRORS = 100_000;
const MAX_STAGES = 1_000;
const MAX_JOBS = 10_000;
const MAX_SECONDS = 2_147_483_647;
const ENDED = ['success', 'failed', 'canceled', 'skipped'] as const;

/**
 * An imported pipeline with its jobs. Those unfinished at the source become canceled: nothing imported ever
 * runs here.
 */
export interface ImportedPipeline {
  readonly iid: number;
  readonly ref: string;
  readonly sha: string;
  readonly beforeSha: string;
  readonly tag: boolean;
  readonly source: PipelineSource;
  readonly status: CiStatus;
  readonly userId: number;
  readonly name: string | null;
  readonly yamlErrors: string | null;
  /** Number of its parent pipeline in the same project. */
  readonly parentIid: number | null;
  readonly duration: number | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly committedAt: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly jobs: readonly ImportedJob[];
}

/** Returns the ids of users that a pipeline names. */
export const pipelineUserIds = (record: SourceRecord): number[] => [
  ...userIdsIn(record, 'user_id'),
  ...entriesOf(record, 'stages').flatMap((stage) =>
    JOB_LISTS.flatMap(({ list }) => entriesOf(stage, list).flatMap((job) => userIdsIn(job, 'user_id'))),
  ),
];

/** Parses a pipeline. @throws RecordRefused if the record is not a pipeline */
export function pipelineOf(record: SourceRecord, target: ImportTarget): ImportedPipeline {
  const before = textIn(record, 'before_sha', MAX_TEXT) ?? NO_OBJECT;
  const updatedAt = timeIn(record, 'updated_at');
  const status = wordIn<CiStatus>(record, 'status', ENDED, 'canceled');
  const finishedAt = timeIn(record, 'finished_at');
  return {
    iid: iidIn(record),
    ref: refIn(record),
    sha: commitIn(record),
    beforeSha: isFullSha(before) ? before : NO_OBJECT,
    tag: flagIn(record, 'tag'),
    source: wordIn(record, 'source', PIPELINE_SOURCES, 'push'),
    status,
    userId: target.attribute(integerIn(record, 'user_id', 1)).userId,
    name: target.text(textIn(record, 'name', MAX_TEXT)),
    yamlErrors: target.text(textIn(record, 'yaml_errors', MAX_ERRORS)),
    parentIid: integerIn(record, 'parent_iid', 1),
    duration: integerIn(record, 'duration', 0, MAX_SECONDS),
    startedAt: timeIn(record, 'started_at'),
    finishedAt: finishedAt ?? (isFinished(record['status'] as CiStatus) ? null : updatedAt),
    committedAt: timeIn(record, 'committed_at'),
    createdAt: timeIn(record, 'created_at'),
    updatedAt,
    jobs: jobsOf(record, target),
  };
}

function jobsOf(record: SourceRecord, target: ImportTarget): ImportedJob[] {
  const jobs = recordsIn(record, 'stages', MAX_STAGES).flatMap((stage, at) =>
    JOB_LISTS.flatMap(({ list, kind }) =>
      recordsIn(stage, list, MAX_JOBS).flatMap((job) => jobOf(job, { stage, at, kind }, target) ?? []),
    ),
  );
  if (jobs.length > MAX_JOBS) throw new RecordRefused(`it has more than ${MAX_JOBS} jobs`);
  // In order of creation, if the source has it.
  return jobs.sort((one, other) => one.order - other.order);
}
