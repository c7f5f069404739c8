import { causeOf } from '#kernel/config/start-problem.js';
import { within } from '#kernel/time/within.js';

/** Result of one check of doctor; `problem` is null if all is well. */
export interface Finding {
  readonly check: string;
  readonly problem: string | null;
  /** The problem that was repaired. */
  readonly mended?: string | null;
  /** Whether `--mend` can repair the problem. */
  readonly mendable?: boolean;
}

/** A folder of a lost network disk, or a store, may never respond. */
const LIMIT_MS = 60_000;

/** Number of objects that a finding names. */
export const SHOWN = 5;

/** Returns a problem that names the first of what was found; null if nothing was. */
export function listed(found: readonly string[]): string | null {
  if (found.length === 0) return null;
  return [...found.slice(0, SHOWN), ...(found.length > SHOWN ? ['...'] : [])].join(', ');
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

/** The same for work outside of the database, which is a problem too if it takes too long. */
export const problemInTime = (work: () => Promise<void>, limitMs = LIMIT_MS): Promise<string | null> =>
  problemOf(() =>
    within(limitMs, work(), () => {
      throw new Error(`no response within ${limitMs / 1000} seconds`);
    }),
  );

/** Returns a problem that names what `find` returns, or why it cannot; all of it if `separator` is given, else the first. */
export async function foundInTime(
  find: () => Promise<readonly string[]>,
  separator?: string,
): Promise<string | null> {
  let found: readonly string[] = [];
  const problem = await problemInTime(async () => {
    found = await find();
  });
  return problem ?? (separator === undefined ? listed(found) : found.join(separator) || null);
}
