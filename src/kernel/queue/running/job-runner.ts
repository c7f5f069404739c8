import { Injectable, Logger } from '@nestjs/common';
import { transactionFence } from '#kernel/database/transactions.js';
import { isTransient } from '#kernel/database/transient.js';
import { noteWork } from '#kernel/log/event-loop.js';
import { observeJob, type JobResult } from '#kernel/log/metrics.js';
import { redactText } from '#kernel/log/redaction.js';
import { currentCorrelationId, ownJob, runAsJob } from '#kernel/log/request-context.js';
import { within } from '#kernel/time/within.js';
import type { ClaimedJob } from '../outbox/claimed-job.js';
import { backoffMs } from '../job-definition.js';
import {
  JobTimeout,
  PermanentFailure,
  RunLost,
  WorkerStopping,
  type JobProcessor,
} from '../job-processor.js';
import { JobRun } from './job-run.js';
import { Leases } from '../outbox/leases.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';
import { Suspects } from './suspects.js';
import { QueueOptions } from '../queue-options.js';
import { Runs } from '../outbox/runs.js';
import { Wakes } from '../outbox/wakes.js';

/** Pause before retrying a job that this version of the program does not know. */
const UNKNOWN_JOB_MS = 5_000;
/** Pause before retrying a job that must not run alongside those that run here. */
const APART_MS = 5_000;

/** Runs claimed jobs in this process, from either driver, and records their results. */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger('Jobs');
  private readonly processors = new Map<string, JobProcessor>();
  private readonly slots = new Map<string, number>();
  private readonly running = new Set<Promise<unknown>>();
  private readonly suspects: Suspects;
  private readonly abandoned = new Map<string, Promise<unknown>>();
  private stopping = false;
  private onFree: () => void = () => undefined;
  private prepare: () => Promise<void> | undefined = () => undefined;

  constructor(
    private readonly runs: Runs,
    private readonly leases: Leases,
    private readonly wakes: Wakes,
    private readonly options: QueueOptions,
  ) {
    this.suspects = new Suspects(options.maxStalls);
  }

  /** Registers the processors of this process and the slots of their queues. */
  use(processors: readonly JobProcessor[]): void {
    for (const processor of processors) {
      const { name, queue } = processor.job;
      if (this.processors.has(name)) throw new Error(`Job ${name} has two processors`);
      this.processors.set(name, processor);
      this.slots.set(queue, this.options.slotsOf(queue));
    }
  }

  /** Queues that have processors here, with their free slots; empty once the runner stops. */
  freeSlots(): ReadonlyMap<string, number> {
    return new Map(this.stopping ? [] : [...this.slots].filter(([, free]) => free > 0));
  }

  /** Queues that have processors here. */
  queues(): readonly string[] {
    return [...this.slots.keys()];
  }

  /** Sets the callback for free slots. */
  whenFree(callback: () => void): void {
    this.onFree = callback;
  }

  /** Sets what precedes each run, such as a look at what other processes have changed. Its failure does not prevent the run. */
  beforeEach(prepare: () => Promise<void> | undefined): void {
    this.prepare = prepare;
  }

  /** Takes a slot for a job that is yet to be claimed; undefined if none is free. The returned function frees it, also for `run`. */
  reserve(queue: string): (() => void) | undefined {
    if ((this.slots.get(queue) ?? 0) <= 0) return undefined;
    this.change(queue, -1);
    return () => this.change(queue, 1);
  }

  /**
   * Runs a job to its end and records the result; returns the redacted error of a failed run. Never throws.
   */
  async run(claimed: ClaimedJob): Promise<Error | undefined> {
    noteWork();
    this.change(claimed.queue, -1);
    const running = runAsJob(claimed.name, claimed.origin, () => this.runInContext(claimed));
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
      this.suspects.leave(claimed);
      this.change(claimed.queue, 1);
      this.onFree();
    }
  }

  /** Waits for running jobs; after a time limit they are aborted and return to the queue. */
  async drain(): Promise<void> {
    this.stopping = true;
    if (await this.idleWithin(this.options.drainMs)) return;
    this.logger.warn(`${this.running.size} jobs are returned to the queue`);
    this.leases.abortAll(new WorkerStopping());
    await this.idleWithin(this.options.abortMs + 1_000);
  }

  /**
   * Gives up the job of a dead worker, after those of its queue that are being given up. It holds its lease from
   * now on, however long their processors take.
   */
  abandon(claimed: ClaimedJob, error: Error): void {
    const processor = this.processors.get(claimed.name);
    if (processor) this.leases.hold(claimed, this.newRun(claimed, processor));
    const earlier = this.abandoned.get(claimed.queue) ?? Promise.resolve();
    const last = earlier
      .then(() => this.stopping || this.settle(claimed, () => this.giveUp(claimed, error).then(() => true)))
      .finally(() => {
        this.leases.release(claimed);
        this.running.delete(last);
        if (this.abandoned.get(claimed.queue) === last) this.abandoned.delete(claimed.queue);
      });
    this.abandoned.set(claimed.queue, last);
    this.running.add(last);
  }

  /** Returns a job to the queue as if it had not been taken. Never throws. */
  async giveBack(claimed: ClaimedJob, delayMs = 0): Promise<void> {
    await this.settle(claimed, () => this.runs.giveBack(claimed, delayMs));
    this.wakes.wake(delayMs);
  }

  private async runInContext(claimed: ClaimedJob): Promise<Error | undefined> {
    const processor = this.processors.get(claimed.name);
    if (this.stopping || !processor) {
      if (!processor)
        this.logger.warn(`Nothing here runs ${claimed.name}: job ${claimed.id} is left to others`);
      await this.giveBack(claimed, processor ? 0 : UNKNOWN_JOB_MS);
      return undefined;
    }
    if (!this.suspects.admit(claimed)) {
      await this.giveBack(claimed, APART_MS);
      return undefined;
    }
    const started = performance.now();
    const run = this.newRun(claimed, processor);
    this.leases.hold(claimed, run);
    await this.prepare()?.catch((error: unknown) =>
      this.logger.warn(`Job ${claimed.name} ${claimed.id} runs unprepared: ${redactText(String(error))}`),
    );
    const error = await transactionFence.run(
      (tx) => run.fence(tx),
      () => run.outcome(() => processor.process(claimed.payload, run)),
    );
    this.leases.release(claimed);
    const result = await this.conclude(claimed, processor, run, error);
    if (result) observeJob(claimed.queue, claimed.name, result, (performance.now() - started) / 1000);
    return error && Object.assign(new Error(redactText(error.message)), { name: error.name });
  }

  /** Fails a job for good: informs its processor and keeps the row as failed. */
  private async giveUp(claimed: ClaimedJob, error: Error): Promise<void> {
    const processor = this.processors.get(claimed.name);
    const message = redactText(error.message);
    this.logger.error(`Job ${claimed.name} ${claimed.id} has failed for good: ${error.name}: ${message}`);
    if (processor?.failed) {
      const run = this.newRun(claimed, processor);
      const isPassing = (failure: unknown): boolean => isTransient(failure) && !run.signal.aborted;
      this.leases.hold(claimed, run);
      try {
        const tell = (): Promise<void> | undefined => processor.failed?.(claimed.payload, error, run);
        // What made the last attempt fail, such as a restart of the database, may still last.
        await retryWhileUnavailable(
          () =>
            transactionFence.run(
              (tx) => run.fence(tx),
              () => run.bounded(tell),
            ),
          this.options.leaseMs,
          isPassing,
        );
      } catch (failure) {
        this.logger.error(
          `Job ${claimed.name} ${claimed.id} failed and so did its clean-up: ${redactText(String(failure))}`,
        );
        // Once the lease has expired, the job runs again: its clean-up must not be left out.
        if (isPassing(failure) && claimed.stalls <= this.options.maxStalls) throw failure;
      } finally {
        this.leases.release(claimed);
      }
      // Once the lease has expired, another worker repeats what this stop has interrupted.
      if (run.signal.reason instanceof WorkerStopping) return;
    }
    await retryWhileUnavailable(() => this.runs.fail(claimed, error.name, message), this.options.leaseMs);
  }

  private newRun(claimed: ClaimedJob, processor: JobProcessor): JobRun {
    const run = new JobRun(
      claimed,
      currentCorrelationId() ?? '',
      this.runs,
      processor.job.timeoutMs,
      this.options.abortMs,
    );
    ownJob(run.abort);
    return run;
  }

  private async conclude(
    claimed: ClaimedJob,
    { job }: JobProcessor,
    run: JobRun,
    error: Error | undefined,
  ): Promise<JobResult | undefined> {
    if (run.completed) return 'success';
    if (!error) return (await this.settle(claimed, () => this.runs.finish(claimed))) ? 'success' : undefined;
    if (error instanceof RunLost) {
      this.logger.warn(error.message);
      return undefined;
    }
    if (error instanceof WorkerStopping) {
      await this.giveBack(claimed);
      return undefined;
    }
    if (claimed.attempt >= job.attempts || error instanceof PermanentFailure) {
      await this.settle(claimed, () => this.giveUp(claimed, error).then(() => true));
      return 'failed';
    }
    const message = redactText(error.message);
    const delayMs = backoffMs(job.backoff, claimed.attempt);
    const label = error instanceof JobTimeout ? 'timed out' : 'failed';
    this.logger.warn(
      `Job ${job.name} ${claimed.id} ${label} (attempt ${claimed.attempt}): ${error.name}: ${message}`,
    );
    await this.settle(claimed, () => this.runs.retry(claimed, delayMs, error.name, message));
    this.wakes.wake(delayMs);
    return 'retry';
  }

  /** If PostgreSQL stays unavailable, the lease expires and the reaper recovers the job. */
  private async settle(claimed: ClaimedJob, change: () => Promise<boolean>): Promise<boolean> {
    try {
      const owned = await retryWhileUnavailable(change, this.options.leaseMs);
      if (!owned) this.logger.warn(new RunLost(claimed.id).message);
      return owned;
    } catch (error) {
      this.logger.error(`Job ${claimed.name} ${claimed.id} cannot be settled: ${redactText(String(error))}`);
      return false;
    }
  }

  private change(queue: string, slots: number): void {
    this.slots.set(queue, (this.slots.get(queue) ?? 0) + slots);
  }

  private idleWithin(limitMs: number): Promise<boolean> {
    const idle = Promise.allSettled([...this.running]).then(() => true);
    return within(limitMs, idle, () => false);
  }
}
