const PAUSE_MS = 500;

/**
 * Retries an operation while PostgreSQL is unavailable, for up to `limitMs`. @throws the last error after that, or the
 * first for which `isPassing` is false
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  limitMs: number,
  isPassing: (error: unknown) => boolean = () => true,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() + PAUSE_MS > end || !isPassing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
