import { causeOf } from '#kernel/config/start-problem.js';

/** Result of one check of doctor; `problem` is null if all is well. */
export interface Finding {
  readonly check: string;
  readonly problem: string | null;
  /** The problem that was repaired. */
  readonly mended?: string | null;
}

/** Returns the message of the error that `work` throws; null if it throws none. */
export async function problemOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return causeOf(error);
  }
}
