import type { EntityMetadata } from 'typeorm';
import { runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { JobNeed } from '../jobs/definition/job-definition.js';
import { Job } from '../jobs/job.entity.js';
import { formerStatusSql, type FormerStatus } from './former-status.js';
import { pipelineJobColumns, PipelineJobs, type PipelineJob } from './steps/pipeline-jobs.js';

/** A job that is about to end, with what its pipeline needs to continue. */
export interface EndingJob {
  readonly job: Job;
  /** The jobs of the pipeline before the job ends. */
  readonly jobs: PipelineJobs;
  readonly former: FormerStatus;
}

type Row = PipelineJob &
  Omit<Job, keyof PipelineJob> & {
    readonly ownNeeds: readonly JobNeed[] | null;
    readonly former: Awaited<ReturnType<FormerStatus>>;
  };

const PIPELINE = '(select pipeline_id from ci_jobs where id = $1)';

/** Columns that are read for all jobs of the pipeline. */
const SHARED: ReadonlySet<string> = new Set<keyof Job>([
  'id',
  'pipelineId',
  'kind',
  'name',
  'stageIndex',
  'when',
  'attempt',
  'status',
  'allowFailure',
  'needs',
]);

let text: string | undefined;

/** One statement for all: the columns that only the ending job needs are null in the other rows. */
function select({ columns }: EntityMetadata): string {
  const own = columns
    .filter(({ propertyName }) => !SHARED.has(propertyName))
    .map(
      ({ databaseName, propertyName }) => `case when id = $1 then "${databaseName}" end as "${propertyName}"`,
    );
  return `select ${pipelineJobColumns(PIPELINE, '$1')}, ${own.join(', ')}, case when id = $1 then needs end as "ownNeeds",
      (${formerStatusSql(PIPELINE)}) as former
    from (select * from ci_jobs where pipeline_id = ${PIPELINE} and not retried
      union all select * from ci_jobs where id = $1 and retried) job order by stage_index, id`;
}

/**
 * Reads a job that is about to end, in one round trip with the next statement of `tx`, which must have locked
 * its pipeline; null if it no longer exists.
 */
export async function askForEndingJob(tx: Tx, jobId: number): Promise<() => Promise<EndingJob | null>> {
  text ??= select(tx.dataSource.getMetadata(Job));
  const asked = await runWithNext<Row>(tx, text, [jobId]);
  return async () => {
    const rows = await asked();
    const own = rows.find(({ id }) => id === jobId);
    if (!own) return null;
    const { ownNeeds: needs, former, ...job } = own;
    const jobs = new PipelineJobs(own.retried ? rows.filter((row) => row !== own) : rows);
    return { job: { ...job, needs }, jobs, former: () => Promise.resolve(former) };
  };
}
