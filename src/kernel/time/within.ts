/** Returns the result of `work` or, once the time is up, of `late`; the work then continues unattended. */
export async function within<T, L = T>(
  limitMs: number,
  work: Promise<T>,
  late: () => L | Promise<L>,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs))).then(late);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
