import { flushLogs, logger } from '#kernel/log/logger.js';
import { countFatal } from '#kernel/log/metrics.js';

/** After an error that nobody caught nothing is to be waited for: what runs has this long. */
const FATAL_TIMEOUT_MS = 10_000;

/** Exit code after such an error; 1 means that the process could not start (which to try again would not change) or was forced to stop. */
const FATAL_EXIT_CODE = 70;

/** Signals within this time after the first one are the same request to stop: under npm one Ctrl-C arrives twice. */
const REPEAT_MS = 1_000;

/** Undoes what was started; told the code with which the process will end: 0 when it was asked to. */
type Stop = (code: number) => Promise<void> | void;

/**
 * Ends this process in order: what was started last is stopped first, on SIGTERM, SIGINT and SIGHUP, also while it is still
 * starting. A second signal, or too long a time, force the end.
 */
export class Lifecycle {
  /** A stop that takes longer than this is forced. */
  timeoutMs = 25_000;
  private readonly stops: Stop[] = [];
  private beganAt = 0;
  private exitCode = 0;
  private ending: Promise<never> | undefined;

  /** Listens to the signals, and to errors that nobody has caught. */
  listen(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => this.onSignal(signal));
    // Rejections that nobody handles come here too.
    process.on('uncaughtException', (error, origin) => this.onFatal(error, origin));
  }

  /** Remembers how to undo what was just started; undone at once when the end has begun in the meantime. */
  async onStop(stop: Stop): Promise<void> {
    if (this.beganAt > 0) await stop(this.exitCode);
    else this.stops.push(stop);
  }

  /** Stops everything and ends with the given code. */
  end(code: number): Promise<never> {
    this.exitCode = Math.max(this.exitCode, code);
    return (this.ending ??= this.stopAll());
  }

  private async stopAll(): Promise<never> {
    this.beganAt = Date.now();
    setTimeout(() => process.exit(1), this.timeoutMs).unref();
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

  /** In what state such an error leaves the process nobody knows: it takes nothing more and ends, whatever hangs. */
  private onFatal(error: unknown, origin: string): void {
    countFatal(origin);
    logger.fatal({ error, origin }, 'Nobody caught this error: the process ends');
    if (this.exitCode !== FATAL_EXIT_CODE) setTimeout(() => process.exit(FATAL_EXIT_CODE), FATAL_TIMEOUT_MS);
    void this.end(FATAL_EXIT_CODE);
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
