import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { isTransient } from '#kernel/database/transient.js';
import { StoredJobDefinition } from '#core/ci/jobs/job-definition.entity.js';
import type { JobDefinition } from '#core/ci/jobs/job-definition.js';
import type { FailureReason } from '#core/ci/jobs/job-status.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { JobGates } from '#core/ci/processing/job-gates.js';
import { PipelineProcessing } from '#core/ci/processing/pipeline-processing.js';
import { Pipelines } from '#core/ci/pipelines/pipelines.service.js';
import { JobPicking, type PickedJob } from '#core/ci/runners/picking.js';
import { isActiveSql } from '#core/users/active-sql.js';
import { JobPayload } from '../payload/job-payload.js';
import type { JobPayloadRecord } from '../payload/job-payload.records.js';
import { PipelineRefs } from '../refs/pipeline-refs.js';
import type { KnownRunner } from '../runner-credential.js';
import { JobFinish } from './job-finish.js';

/** Jobs that cannot be handed out fail; after so many the runner asks again. */
const TRIES = 10;

/** A job is not to fail because the database is away for a moment: pauses before it is tried once more. */
const PAUSES_MS = [250, 1_000];

const ACTIVE = `select 1 from users u where u.id = $1 and ${isActiveSql('u')}`;

/** What a job that runs from now on belongs to, and what it does. */
interface Begun {
  readonly pipeline: Pipeline;
  readonly definition: JobDefinition;
}

/** Finds the next job of a runner and makes everything ready that the runner needs for it. */
@Injectable()
export class JobHandOut {
  private readonly logger = new Logger(JobHandOut.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly picking: JobPicking,
    private readonly pipelines: Pipelines,
    private readonly processing: PipelineProcessing,
    private readonly refs: PipelineRefs,
    private readonly payload: JobPayload,
    private readonly finish: JobFinish,
    private readonly gates: JobGates,
  ) {}

  /** The next job of a runner. `conflict`: others were quicker, it may ask again. */
  async next(runner: KnownRunner, jobAge: number): Promise<JobPayloadRecord | 'none' | 'conflict'> {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const picked = await this.picking.pick(runner, jobAge);
      if (typeof picked === 'string') return picked;
      const payload = await this.prepare(runner, picked);
      if (payload) return payload;
    }
    return 'conflict';
  }

  /** Null when the job can never run: it has failed, and the runner gets another one. */
  private async prepare(runner: KnownRunner, picked: PickedJob): Promise<JobPayloadRecord | null> {
    const { id } = picked.job;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.prepareOnce(runner, picked);
      } catch (error) {
        this.logger.error(`Job ${id} could not be handed out: ${String(error)}`);
        if (!isTransient(error)) return this.fail(id, 'data_integrity_failure');
        const pause = PAUSES_MS[attempt];
        if (pause === undefined) return this.fail(id, 'scheduler_failure');
        await sleep(pause);
      }
    }
  }

  /** Every step of it may be repeated. */
  private async prepareOnce(runner: KnownRunner, picked: PickedJob): Promise<JobPayloadRecord | null> {
    const { job } = picked;
    if (!(await this.database.one(ACTIVE, [job.userId]))) return this.fail(job.id, 'user_blocked');
    const begun = await this.begin(picked);
    if (!begun) return null;
    if ('fail' in begun) return this.fail(job.id, begun.fail);
    await this.refs.keep(begun.pipeline);
    return this.payload.of(runner, picked, begun.pipeline, begun.definition);
  }

  /**
   * The pipeline learns that its job runs. Null when the job was canceled in this moment; a reason for one that may not run any more: it may
   * have waited long, and rights may have been taken away since.
   */
  private begin({ job }: PickedJob): Promise<Begun | { fail: FailureReason } | null> {
    return this.transactions.run(async (tx) => {
      const { pipeline, job: current } = await this.pipelines.lockJob(tx, job.projectId, job.id);
      if (current.status !== 'running') return null;
      const verdict = await this.gates.judge(tx, current);
      if (typeof verdict === 'object') return verdict;
      await this.processing.process(tx, pipeline);
      const { definition } = await tx.findOneByOrFail(StoredJobDefinition, { jobId: job.id });
      return { pipeline, definition };
    });
  }

  private async fail(jobId: number, failureReason: FailureReason): Promise<null> {
    await this.finish.run(jobId, 'failed', { failureReason });
    return null;
  }
}
