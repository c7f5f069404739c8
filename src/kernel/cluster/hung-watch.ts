import type { Worker } from 'node:cluster';
import { logger } from '#kernel/log/logger.js';
import { tell } from './primary-desk.js';

/** Interval of the calls. */
const EVERY_MS = 10_000;
/**
 * Number of calls in a row without a message after which a process counts as hung. Calls are counted instead of
 * time, because the primary may have been suspended with its processes.
 */
const MOST_CALLS = 6;

/**
 * Kills processes whose event loop stands still: such a process would keep its connections, slots and jobs, and
 * never exit, until an operator looks.
 */
export class HungWatch {
  private readonly calls = new Map<Worker, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly everyMs = EVERY_MS) {}

  /** Watches a process that works until it exits. */
  watch(worker: Worker): void {
    this.calls.set(worker, 0);
    worker.on('message', () => this.calls.set(worker, 0));
    worker.once('exit', () => this.calls.delete(worker));
    this.timer ??= setInterval(() => this.callAll(), this.everyMs).unref();
  }

  private callAll(): void {
    for (const [worker, calls] of this.calls) {
      if (calls < MOST_CALLS) {
        this.calls.set(worker, calls + 1);
        tell(worker, { does: 'call' });
        continue;
      }
      this.calls.delete(worker);
      const seconds = Math.round((MOST_CALLS * this.everyMs) / 1_000);
      logger.error(`Process ${worker.process.pid} has not responded for ${seconds} s: it is killed`);
      worker.process.kill('SIGKILL');
    }
  }
}
