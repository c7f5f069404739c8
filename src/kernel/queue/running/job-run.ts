import { afterCommit, type Tx } from '#kernel/database/transactions.js';
import type { ClaimedJob } from '../outbox/claimed-job.js';
import { JobTimeout, RunLost, type JobContext } from '../job-processor.js';
import type { Runs } from '../outbox/runs.js';

/** One run of one job: the context that its processor gets, bounded in time. */
export class JobRun implements JobContext {
  readonly abort = new AbortController();
  /** Whether the processor has removed the job in a transaction of its own. */
  completed = false;

  constructor(
    private readonly claimed: ClaimedJob,
    readonly correlationId: string,
    private readonly runs: Runs,
    private readonly timeoutMs: number,
    private readonly abortMs: number,
  ) {}

  get jobId(): number {
    return this.claimed.id;
  }

  get attempt(): number {
    return this.claimed.attempt;
  }

  get runToken(): string {
    return this.claimed.runToken;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  async heartbeat(): Promise<void> {
    const [owned] = await this.runs.renew([this.claimed]);
    if (owned !== true) this.lose();
  }

  async fence(tx: Tx): Promise<void> {
    if (!(await this.runs.fence(tx, this.claimed))) this.lose();
  }

  async complete(tx: Tx): Promise<void> {
    if (!(await this.runs.finishIn(tx, this.claimed))) this.lose();
    afterCommit(tx, () => (this.completed = true));
  }

  /** Runs `work` and answers its error; an abort is the error of whatever `work` did because of it. */
  async outcome(work: () => Promise<void>): Promise<Error | undefined> {
    try {
      await this.bounded(work);
      return undefined;
    } catch (error) {
      if (this.signal.aborted) return this.signal.reason as Error;
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Runs `work`; it is aborted after the time-out of the job, and no longer waited for when it ignores an abort. */
  async bounded(work: () => Promise<void> | undefined): Promise<void> {
    const timeout = setTimeout(() => this.abort.abort(new JobTimeout(this.timeoutMs)), this.timeoutMs);
    let grace: NodeJS.Timeout | undefined;
    const deserted = new Promise<never>((_, reject) => {
      const giveUp = (): void => reject(this.signal.reason as Error);
      this.signal.addEventListener('abort', () => (grace = setTimeout(giveUp, this.abortMs)), { once: true });
    });
    try {
      await Promise.race([work(), deserted]);
    } finally {
      clearTimeout(timeout);
      clearTimeout(grace);
    }
  }

  private lose(): never {
    const lost = new RunLost(this.claimed.id);
    this.abort.abort(lost);
    throw lost;
  }
}
