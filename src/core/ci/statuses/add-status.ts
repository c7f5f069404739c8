import { runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Job } from '../jobs/job.entity.js';
import type { CiStatus } from '../jobs/job-status.js';
import type { Pipeline } from '../pipelines/pipeline.entity.js';
import { madeThrough } from '../processing/job-transitions.service.js';
import { COMMIT_STATUS_COLUMNS, COMMIT_STATUS_JOINS, type CommitStatusRow } from './commit-status.record.js';

/** A commit status to add. */
export interface NewStatus {
  readonly pipeline: Pick<Pipeline, 'id' | 'projectId'>;
  readonly name: string;
  readonly userId: number;
  readonly ref: string;
  readonly tag: boolean;
  readonly protected: boolean;
  readonly targetUrl?: string | null;
  readonly description?: string | null;
  readonly coverage?: number | null;
}

/** A commit status with the number of statuses of its name before it. */
type NextStatus = NewStatus & { readonly attempt: number };

/** External statuses come after all stages of a configuration. */
const STAGE_INDEX = 1_000_000;

/** Replaces earlier statuses of the same name; only statuses, so that a status never replaces a job. */
const ADD = `with superseded as (update ci_jobs set retried = true, updated_at = now()
    where pipeline_id = $2 and kind = 'status' and name = $3 and not retried),
  j as (insert into ci_jobs (id, project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref, tag, protected, tag_list,
      target_url, description, coverage, failure_reason, queued_at, started_at, runner_seen_at, finished_at, created_at, updated_at,
      attempt)
    values ($18, $1, $2, 'status', $3, 'external', ${STAGE_INDEX}, $4, $5, $6, $7, $8, '{}', $9, $10, $11, $12, $13, $14, $15, $16, $17, $17, $19)
    returning *)
  select ${COMMIT_STATUS_COLUMNS} from j ${COMMIT_STATUS_JOINS}`;

/**
 * Adds a status that passes through several states at once, under a drawn id, in one round trip with the next
 * statement of `tx`; `JobTransitionsService.enter` must follow. The returned function gives the row, also
 * after the commit. @throws IllegalTransition
 */
export async function addStatus(
  tx: Tx,
  id: number,
  { pipeline, ...said }: NextStatus,
  steps: readonly CiStatus[],
): Promise<{ readonly job: Job; readonly row: () => Promise<CommitStatusRow> }> {
  const now = new Date();
  const made = madeThrough(steps, { failureReason: 'api_failure' });
  const { name, userId, ref, tag, protected: isProtected, targetUrl, description, coverage } = said;
  const rows = await runWithNext<CommitStatusRow>(tx, ADD, [
    ...[pipeline.projectId, pipeline.id, name, made.status, userId, ref, tag, isProtected],
    ...[targetUrl, description, coverage, made.failureReason],
    ...[made.queuedAt, made.startedAt, made.runnerSeenAt, made.finishedAt, now, id, said.attempt],
  ]);
  const job = Object.assign(new Job(), {
    ...{
      id,
      projectId: pipeline.projectId,
      pipelineId: pipeline.id,
      kind: 'status' as const,
      stageIndex: STAGE_INDEX,
    },
    ...{
      stage: 'external',
      when: 'on_success' as const,
      allowFailure: false,
      retried: false,
      needs: null,
      tagList: [],
    },
    ...{
      environment: null,
      environmentAction: null,
      resourceGroup: null,
      runnerId: null,
      scheduledAt: null,
      exitCode: null,
    },
    ...{ ...said, createdAt: now, ...made },
  });
  return { job, row: async () => (await rows())[0] as CommitStatusRow };
}
