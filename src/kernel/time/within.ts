/**
 * Parts in which the time passes. While the process is paused, or gets no processor, no answer can be taken: such a
 * pause costs one part, not all of the time.
 */
const PARTS = 4;

/** Returns the result of `work` or, once the time is up, of `late`; the work then continues unattended. */
export async function within<T, L = T>(
  limitMs: number,
  work: Promise<T>,
  late: () => L | Promise<L>,
): Promise<T | L> {
  const partMs = limitMs / PARTS;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    const pass = (parts: number, isRepeated = false): void => {
      const begun = performance.now();
      timer = setTimeout(() => {
        if (parts > 1) pass(parts - 1);
        // What was answered during a pause in the last part is still to be taken.
        else if (!isRepeated && performance.now() - begun > 2 * partMs) pass(1, true);
        else resolve();
      }, partMs);
    };
    pass(PARTS);
  }).then(late);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
