import { causeOf } from '#kernel/config/start-problem.js';
import { within } from '#kernel/time/within.js';

/** Result of one check of doctor; `problem` is null if all is well. */
export interface Finding {
  readonly check: string;
  readonly problem: string | null;
  /** The problem that was repaired. */
  readonly mended?: string | null;
}

/** A folder of a lost network disk, or a store, may never respond. */
const LIMIT_MS = 60_000;

/** Returns the message of the error that `work` throws; null if it throws none. */
export async function problemOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return causeOf(error);
  }
}

/** The same for work outside of the database, which is a problem too if it takes too long. */
export const problemInTime = (work: () => Promise<void>, limitMs = LIMIT_MS): Promise<string | null> =>
  problemOf(() =>
    within(limitMs, work(), () => {
      throw new Error(`no response within ${limitMs / 1000} seconds`);
    }),
  );
