import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { logger } from '#kernel/log/logger.js';
import { isActiveSql } from '#core/users/active.sql.js';
import type { FailureReason } from '../jobs/job-status.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { JobTransitionsService } from '../processing/job-transitions.service.js';
import { ProcessPipeline } from '../processing/process-pipeline.use-case.js';
import { Job } from '../jobs/job.entity.js';

/** Jobs per run: the next run handles the rest. */
const LIMIT = 500;

/** Runners end jobs that time out themselves and then upload their artifacts and trace. */
const TIMEOUT_GRACE = '10 minutes';
/** Runners send a request at least once a minute. */
const VANISHED_AFTER = '15 minutes';
const STUCK_AFTER = '24 hours';

const only = '($1::bigint is null or j.id = $1)';

/** A kind of lost job: a statement that finds such jobs (or checks `$1`), and their failure reason. */
interface Loss {
  readonly reason: FailureReason;
  readonly find: string;
}

const running = (condition: string): string =>
  `select j.id, j.pipeline_id as "pipelineId" from ci_jobs j where j.status = 'running' and j.kind = 'build' and ${condition}
    and ${only} order by j.id limit ${LIMIT}`;

const pending = (condition: string): string =>
  `select j.id, j.pipeline_id as "pipelineId" from ci_pending_jobs q join ci_jobs j on j.id = q.job_id where ${condition}
    and ${only} order by j.id limit ${LIMIT}`;

/** Also matches jobs of deleted users. */
const blocked = `not exists (select 1 from users u where u.id = j.user_id and ${isActiveSql('u')})`;

const LOSSES: readonly Loss[] = [
  {
    reason: 'job_execution_timeout',
    find: running(
      `j.started_at + coalesce(j.timeout, 3600) * interval '1 second' < now() - interval '${TIMEOUT_GRACE}'`,
    ),
  },
  {
    reason: 'stuck_or_timeout_failure',
    find: running(`coalesce(j.runner_seen_at, j.started_at) < now() - interval '${VANISHED_AFTER}'`),
  },
  { reason: 'stuck_or_timeout_failure', find: pending(`q.created_at < now() - interval '${STUCK_AFTER}'`) },
  { reason: 'user_blocked', find: pending(blocked) },
  { reason: 'user_blocked', find: running(blocked) },
];

const WAITS = 'select 1 from ci_pending_jobs where job_id = $1 for update';

/**
 * Fails jobs whose runner has vanished, that exceed their timeout, that no runner takes, or whose user is no
 * longer active.
 */
@Injectable()
export class LostJobsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
  ) {}

  /**
   * Fails lost jobs, each in its own transaction that checks it again; a job that cannot be ended does not
   * block the others.
   */
  async end(signal: AbortSignal): Promise<void> {
    for (const loss of LOSSES) {
      const found = await this.transactions.run((tx) =>
        tx.query<{ id: number; pipelineId: number }[]>(loss.find, [null]),
      );
      for (const lost of found) {
        signal.throwIfAborted();
        await this.endOne(loss, lost).catch((error: unknown) => {
          logger.error({ error, jobId: lost.id, reason: loss.reason }, 'A lost job could not be ended');
        });
      }
    }
  }

  private endOne(
    { find, reason }: Loss,
    { id, pipelineId }: { id: number; pipelineId: number },
  ): Promise<void> {
    return this.transactions.run(async (tx) => {
      const pipeline = await this.pipelines.lockOrNull(tx, pipelineId);
      const isStill = (await tx.query<unknown[]>(find, [id])).length > 0;
      const job = isStill ? await tx.findOneBy(Job, { id }) : null;
      if (!pipeline || !job) return;
      // A runner may be taking the job at this moment.
      if (job.status === 'pending' && (await tx.query<unknown[]>(WAITS, [id])).length === 0) return;
      await this.transitions.move(tx, job, 'failed', { failureReason: reason });
      await this.processing.process(tx, pipeline);
    });
  }
}
