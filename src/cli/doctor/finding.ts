import { causeOf } from '#kernel/config/start-problem.js';

/** What one check of doctor came to: `problem` is null where all is well. */
export interface Finding {
  readonly check: string;
  readonly problem: string | null;
  /** What was wrong and has been put right. */
  readonly mended?: string | null;
}

/** The text of what `work` throws; null when it throws nothing. */
export async function problemOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return causeOf(error);
  }
}
