import { flushLogs, logger } from '#kernel/log/logger.js';

/** A stop that takes longer than this is forced. */
const STOP_TIMEOUT_MS = 25_000;

/** Signals within this time after the first one are the same request to stop: under npm one Ctrl-C arrives twice. */
const REPEAT_MS = 1_000;

/**
 * Ends this process in order: what was started last is stopped first, on SIGTERM, SIGINT and SIGHUP, also while it is still
 * starting. A second signal, or 25 seconds, force the end.
 */
export class Lifecycle {
  private readonly stops: (() => Promise<void> | void)[] = [];
  private beganAt = 0;

  /** Listens to the signals. */
  listen(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => this.onSignal(signal));
  }

  /** Remembers how to undo what was just started; undone at once when the end has begun in the meantime. */
  async onStop(stop: () => Promise<void> | void): Promise<void> {
    if (this.beganAt > 0) await stop();
    else this.stops.push(stop);
  }

  /** Stops everything and ends with the given code. */
  async end(code: number): Promise<never> {
    this.beganAt ||= Date.now();
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    let result = code;
    for (const stop of this.stops.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        logger.error({ error }, 'The stop was not clean');
        result = 1;
      }
    }
    await flushLogs();
    process.exit(result);
  }

  private onSignal(signal: string): void {
    if (this.beganAt > 0) {
      if (Date.now() - this.beganAt > REPEAT_MS) process.exit(1);
      return;
    }
    logger.info(`${signal}: stopping`);
    void this.end(0);
  }
}
