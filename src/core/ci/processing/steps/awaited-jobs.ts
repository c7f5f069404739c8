import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { blocks } from './blocking.js';
import type { PipelineJob, PipelineJobs } from './pipeline-jobs.js';

/** Fewer needs are read faster than a job to wait for is stored. */
const MANY_NEEDS = 20;

const STORE = `update ci_jobs set awaited = found.name from unnest($1::bigint[], $2::text[]) found (id, name)
  where ci_jobs.id = found.id`;

/**
 * Stores for each waiting job whose many needs were read one of the jobs for which it waits: the needs are
 * read again once that one has ended.
 */
export async function storeAwaited(tx: Tx, jobs: PipelineJobs): Promise<void> {
  const found = jobs.all.flatMap((job) => {
    const awaited = awaitedBy(job, jobs);
    return awaited ? [{ id: job.id, name: awaited.name }] : [];
  });
  if (found.length === 0) return;
  await runDeferred(tx, STORE, [found.map(({ id }) => id), found.map(({ name }) => name)]);
}

/** The last one in the order of the pipeline, which probably ends last. */
function awaitedBy(job: PipelineJob, jobs: PipelineJobs): PipelineJob | undefined {
  if (job.status !== 'created' || job.needs === null || job.needs.length < MANY_NEEDS) return undefined;
  let last: PipelineJob | undefined;
  for (const one of jobs.neededBy(job)) if (blocks(one) && (!last || isAfter(one, last))) last = one;
  return last;
}

const isAfter = (one: PipelineJob, other: PipelineJob): boolean =>
  one.stageIndex === other.stageIndex ? one.id > other.id : one.stageIndex > other.stageIndex;
