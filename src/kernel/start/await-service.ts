import { setTimeout as sleep } from 'node:timers/promises';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import { logger } from '#kernel/log/logger.js';

/** A service beside this one, which may come up later than it. */
export interface AwaitedService {
  readonly name: string;
  /** The variable that leads to it. */
  readonly variable: string;
  /** Uses it once. @throws StartProblem where to wait would change nothing */
  readonly ask: () => Promise<void>;
}

const PAUSE_MS = 500;
const TELL_EVERY_MS = 10_000;

/** Waits until a service answers, and says so in the log. @throws StartProblem when `end` has come before */
export async function awaitService({ name, variable, ask }: AwaitedService, end: number): Promise<void> {
  const began = Date.now();
  let toldAt = 0;
  for (;;) {
    const cause = await ask().then(
      () => null,
      (error: unknown) => {
        if (error instanceof StartProblem) throw error;
        return causeOf(error);
      },
    );
    if (cause === null) return;
    const now = Date.now();
    if (now >= end) {
      const waited = Math.round((now - began) / 1_000);
      throw new StartProblem(
        `${variable} leads to no ${name} that answers (${cause}), also after ${waited} s: start it, correct ${variable}, or wait longer with START_TIMEOUT_SECONDS.`,
      );
    }
    if (now - toldAt >= TELL_EVERY_MS) {
      logger.warn(
        { cause },
        `Waiting for ${name} (${variable}), for ${Math.ceil((end - now) / 1_000)} s at most`,
      );
      toldAt = now;
    }
    await sleep(Math.min(PAUSE_MS, end - now));
  }
}
