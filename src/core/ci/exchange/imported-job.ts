import type { ImportTarget } from '#core/exchange/import-target.js';
import {
  flagIn,
  integerIn,
  textIn,
  timeIn,
  wordIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import type { JobKind, JobWhen } from '../jobs/job.entity.js';
import type { CiStatus } from '../jobs/job-status.js';
import { MAX_COVERAGE } from '../traces/coverage.js';

const MAX_NAME = 255;
const MAX_TEXT = 2_000;
const MAX_INDEX = 10_000;
const ENDED = ['success', 'failed', 'canceled', 'skipped'] as const;
const WHENS: readonly JobWhen[] = ['on_success', 'on_failure', 'always', 'manual', 'delayed'];

/** Job lists of a stage in an export: newer sources group them by kind, older ones list all as statuses. */
export const JOB_LISTS: readonly { readonly list: string; readonly kind: JobKind | null }[] = [
  { list: 'builds', kind: 'build' },
  { list: 'bridges', kind: 'bridge' },
  { list: 'generic_commit_statuses', kind: 'status' },
  { list: 'statuses', kind: null },
];

/** Names of the kinds in exports. */
const TYPES = new Map<unknown, JobKind>([
  ['Ci::Bridge', 'bridge'],
  ['GenericCommitStatus', 'status'],
]);

/** An imported job: it has no script, token, trace or artifacts. */
export interface ImportedJob {
  /** Position among the jobs of the source. */
  readonly order: number;
  readonly kind: JobKind;
  readonly name: string;
  readonly stage: string;
  readonly stage_index: number;
  readonly status: CiStatus;
  readonly failure_reason: string | null;
  readonly when: JobWhen;
  readonly allow_failure: boolean;
  readonly retried: boolean;
  readonly user_id: number;
  readonly coverage: number | null;
  readonly target_url: string | null;
  readonly description: string | null;
  readonly queued_at: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

interface StagePosition {
  readonly stage: SourceRecord;
  /** Index of the stage. */
  readonly at: number;
  readonly kind: JobKind | null;
}

/** Parses a job of a stage; null if it has no name. */
export function jobOf(
  record: SourceRecord,
  { stage, at, kind }: StagePosition,
  target: ImportTarget,
): ImportedJob | null {
  const name = target.text(shortText(record, 'name', MAX_NAME));
  if (name === null || name.trim() === '') return null;
  const updatedAt = timeIn(record, 'updated_at');
  const given = record['status'];
  const status = given === 'manual' ? 'skipped' : wordIn<CiStatus>(record, 'status', ENDED, 'canceled');
  return {
    order: integerIn(record, 'id') ?? 0,
    kind: kind ?? TYPES.get(record['type']) ?? 'build',
    name,
    stage: target.text(shortText(stage, 'name', MAX_NAME) ?? shortText(record, 'stage', MAX_NAME)) ?? 'test',
    stage_index:
      integerIn(record, 'stage_idx', 0, MAX_INDEX) ?? integerIn(stage, 'position', 0, MAX_INDEX) ?? at,
    status,
    failure_reason: status === 'failed' ? shortText(record, 'failure_reason', MAX_NAME) : null,
    when: wordIn(record, 'when', WHENS, 'on_success'),
    allow_failure: flagIn(record, 'allow_failure'),
    retried: flagIn(record, 'retried'),
    user_id: target.attribute(integerIn(record, 'user_id', 1)).userId,
    coverage: coverageIn(record),
    target_url: webAddress(target.text(shortText(record, 'target_url', MAX_TEXT))),
    description: target.text(shortText(record, 'description', MAX_TEXT)),
    queued_at: timeIn(record, 'queued_at'),
    started_at: timeIn(record, 'started_at'),
    finished_at: timeIn(record, 'finished_at') ?? (given === status ? null : updatedAt),
    created_at: timeIn(record, 'created_at'),
    updated_at: updatedAt,
  };
}

/** Too long texts are dropped, so that one job does not exclude its whole pipeline. */
const shortText = (record: SourceRecord, name: string, max: number): string | null => {
  const text = record[name];
  return typeof text === 'string' && text.length <= max ? textIn(record, name, max) : null;
};

/** Returns the address if a link may lead to it, else null. */
const webAddress = (text: string | null): string | null =>
  text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;

function coverageIn(record: SourceRecord): number | null {
  const value = record['coverage'];
  return typeof value === 'number' && value >= 0 && value <= MAX_COVERAGE ? value : null;
}
