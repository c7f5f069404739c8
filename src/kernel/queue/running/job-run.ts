import { afterCommit, type Tx } from '#kernel/database/transactions.js';
import type { ClaimedJob } from '../outbox/claimed-job.js';
import { JobTimeout, RunLost, type JobContext } from '../job-processor.js';
import type { Runs } from '../outbox/runs.js';

/** One run of one job, with a time limit: the context that its processor receives. */
export class JobRun implements JobContext {
  readonly abort = new AbortController();
  /** Whether the processor completed the job in its own transaction. */
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

  /** Runs `work` and returns its error; after an abort, the reason of the abort replaces the error of `work`. */
  async outcome(work: () => Promise<void>): Promise<Error | undefined> {
    try {
      await this.bounded(work);
      return undefined;
    } catch (error) {
      if (this.signal.aborted) return this.signal.reason as Error;
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Runs `work` and aborts it at the time limit of the job; stops waiting for it if it ignores the abort. */
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
