import { runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';

/** Reads the final status of the previous pipeline on the same branch or tag; null if there is none. */
export type FormerStatus = () => Promise<'success' | 'failed' | null>;

const FORMER = `select f.status from ci_pipelines p cross join lateral (select status from ci_pipelines
    where project_id = p.project_id and ref = p.ref and tag = p.tag and id < p.id and parent_id is null
      and status in ('success', 'failed') order by id desc limit 1) f`;
const OF_PIPELINE = `${FORMER} where p.id = $1`;
const OF_JOB = `${FORMER} where p.id = (select pipeline_id from ci_jobs where id = $1)`;

type Row = { readonly status: 'success' | 'failed' };

/** Returns a reader that queries only when it is called. */
export function formerStatus(tx: Tx, pipelineId: number): FormerStatus {
  return async () => (await tx.query<Row[]>(OF_PIPELINE, [pipelineId]))[0]?.status ?? null;
}

/** Reads that of the pipeline of a job, in one round trip with the next statement of `tx`. */
export async function askFormerStatus(tx: Tx, jobId: number): Promise<FormerStatus> {
  const rows = await runWithNext<Row>(tx, OF_JOB, [jobId]);
  return async () => (await rows())[0]?.status ?? null;
}
