import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { logger } from '#kernel/log/logger.js';
import { isActiveSql } from '#core/users/active.sql.js';
import type { FailureReason } from '../jobs/job-status.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { JobTransitionsService } from '../processing/job-transitions.service.js';
import { ProcessPipeline } from '../processing/process-pipeline.use-case.js';
import { Job } from '../jobs/job.entity.js';

/** Jobs at a time: the next run finds the others. */
const LIMIT = 500;

/** Runners end what takes too long by themselves, and then upload what it has left. */
const TIMEOUT_GRACE = '10 minutes';
/** Runners tell at least once a minute that they are there. */
const VANISHED_AFTER = '15 minutes';
const STUCK_AFTER = '24 hours';

const only = '($1::bigint is null or j.id = $1)';

/** A way to get lost: a statement that finds such jobs (or looks whether `$1` is one), and what they fail with. */
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

/** Those of users who are gone, too. */
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

/** Ends jobs whose runner has vanished, that take too long, that no runner takes, or whose user may not act any more. */
@Injectable()
export class LostJobsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
  ) {}

  /** Each in a transaction of its own, which looks again; one that cannot be ended does not hold up the others. */
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
      // A runner that takes it right now is there after all.
      if (job.status === 'pending' && (await tx.query<unknown[]>(WAITS, [id])).length === 0) return;
      await this.transitions.move(tx, job, 'failed', { failureReason: reason });
      await this.processing.process(tx, pipeline);
    });
  }
}
