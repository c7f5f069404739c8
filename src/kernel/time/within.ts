/** What `work` answers or, once the time is over, what `late` does: the work goes on then, and nobody waits for it. */
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
