import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { JobDefinition, JsonObject } from '#kernel/queue/job-definition.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isReadOnly } from '../pushes/push-errors.js';

/** How long work that met a storage move waits before it is tried again. */
const RETRY_MS = 15_000;

/** Repeats jobs that meet a storage move, for as long as it takes: no attempts are used up in the meantime. */
@Injectable()
export class MoveRetriesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /** Runs `work`; enqueues its job again if a repository is being moved. @throws all other errors of `work` */
  async run<P extends JsonObject>(
    job: JobDefinition<P>,
    payload: P,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      await this.again(job, payload);
    }
  }

  /** Enqueues the job again, to run after `delayMs`. */
  async again<P extends JsonObject>(
    job: JobDefinition<P>,
    payload: P,
    delayMs: number = RETRY_MS,
  ): Promise<void> {
    await this.transactions.run((tx) => this.jobs.enqueue(tx, job, payload, { delayMs }));
  }
}
