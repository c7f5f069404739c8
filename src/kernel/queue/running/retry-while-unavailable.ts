const PAUSE_MS = 500;

/** Retries an operation while PostgreSQL is unavailable, for up to `limitMs`. @throws the last error after that */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, limitMs: number): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() + PAUSE_MS > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
