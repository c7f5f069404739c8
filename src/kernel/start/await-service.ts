import { setTimeout as sleep } from 'node:timers/promises';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import { logger } from '#kernel/log/logger.js';

/** A service that may start later than this process. */
export interface AwaitedService {
  readonly name: string;
  /** The variable with its URL. */
  readonly variable: string;
  /** Tries to use it. @throws StartProblem for errors that are not temporary */
  readonly ask: () => Promise<void>;
}

const PAUSE_MS = 500;
const TELL_EVERY_MS = 10_000;

/** Waits until a service responds, and logs that it waits. @throws StartProblem at `end` */
export async function awaitService({ name, variable, ask }: AwaitedService, end: number): Promise<void> {
  const began = performance.now();
  let toldAt = -Infinity;
  for (;;) {
    const cause = await ask().then(
      () => null,
      (error: unknown) => {
        if (error instanceof StartProblem) throw error;
        return causeOf(error);
      },
    );
    if (cause === null) return;
    const now = performance.now();
    if (now >= end) {
      const waited = Math.round((now - began) / 1_000);
      throw new StartProblem(
        `${variable}: ${name} does not respond (${cause}), even after ${waited} s: start it, correct ${variable}, or raise START_TIMEOUT_SECONDS.`,
      );
    }
    if (now - toldAt >= TELL_EVERY_MS) {
      logger.warn(
        { cause },
        `Waiting for ${name} (${variable}) for up to ${Math.ceil((end - now) / 1_000)} s`,
      );
      toldAt = now;
    }
    await sleep(Math.min(PAUSE_MS, end - now));
  }
}
