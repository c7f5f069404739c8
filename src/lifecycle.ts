import { flushLogs, logger } from '#kernel/log/logger.js';
import { countFatal } from '#kernel/log/metrics.js';

/** Limit of the time to shut down after an uncaught error: what is still running must not delay it. */
const FATAL_TIMEOUT_MS = 10_000;

/** Exit code after an uncaught error, however the process then ends: it is restarted. */
const FATAL_EXIT_CODE = 70;

/** Exit code of a requested stop that was forced. As with a process that cannot start, retrying does not help. */
const FORCED_EXIT_CODE = 1;

/**
 * Signals within this time after the first one count as the same request to stop: under npm one Ctrl-C
 * arrives twice.
 */
const REPEAT_MS = 1_000;

/** Undoes what was started. Receives the exit code of the process: 0 for a requested stop. */
type Stop = (code: number) => Promise<void> | void;

/**
 * Shuts this process down in order, last started first, on SIGTERM, SIGINT and SIGHUP, even while it is still
 * starting. A second signal or a timeout forces the end.
 */
export class Lifecycle {
  /** A shutdown that takes longer than this is forced. */
  timeoutMs = 25_000;
  private readonly stops: Stop[] = [];
  private beganAt = 0;
  private exitCode = 0;
  private ending: Promise<never> | undefined;

  /** Handles the signals and uncaught errors. `onHangUp` replaces the handling of SIGHUP. */
  listen(onHangUp?: () => void): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.onSignal(signal));
    process.on('SIGHUP', onHangUp ?? (() => this.onSignal('SIGHUP')));
    // Unhandled rejections arrive here too.
    process.on('uncaughtException', (error, origin) => this.onFatal(error, origin));
    // Output that is not read, or that a full disk refuses, is not a reason to exit.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }

  /** Registers how to undo what was just started; undoes it at once if the shutdown has already begun. */
  async onStop(stop: Stop): Promise<void> {
    if (this.beganAt > 0) await stop(this.exitCode);
    else this.stops.push(stop);
  }

  /** Stops everything and exits with the given code. */
  end(code: number): Promise<never> {
    this.exitCode = Math.max(this.exitCode, code);
    return (this.ending ??= this.stopAll());
  }

  private async stopAll(): Promise<never> {
    this.beganAt = performance.now();
    setTimeout(() => void this.force(), this.timeoutMs).unref();
    for (const stop of this.stops.splice(0).reverse()) {
      try {
        await stop(this.exitCode);
      } catch (error) {
        logger.error({ error }, 'The stop was not clean');
        this.exitCode ||= 1;
      }
    }
    await flushLogs();
    process.exit(this.exitCode);
  }

  /** What waits for a lock or a slow statement may take longer than the stop: its transaction is rolled back. */
  private async force(): Promise<void> {
    process.exitCode = this.exitCode || FORCED_EXIT_CODE;
    logger.error(`The stop is forced after ${this.timeoutMs / 1_000} s: what was still running is cut off`);
    await flushLogs();
    process.exit(process.exitCode);
  }

  /**
   * An uncaught error leaves the process in an unknown state: it accepts no more work and exits, even
   * if something hangs.
   */
  private onFatal(error: unknown, origin: string): void {
    countFatal(origin);
    logger.fatal({ error, origin }, 'Uncaught error: the process exits');
    if (this.exitCode !== FATAL_EXIT_CODE) setTimeout(() => process.exit(FATAL_EXIT_CODE), FATAL_TIMEOUT_MS);
    void this.end(FATAL_EXIT_CODE);
  }

  private onSignal(signal: string): void {
    if (this.beganAt > 0) {
      if (performance.now() - this.beganAt > REPEAT_MS) process.exit(FORCED_EXIT_CODE);
      return;
    }
    logger.info(`${signal}: stopping`);
    void this.end(0);
  }
}
