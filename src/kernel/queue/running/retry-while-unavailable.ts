const PAUSE_MS = 500;

/** Repeats what fails while PostgreSQL is away, until `limitMs` have passed; then the last error is thrown. */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, limitMs: number): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() + PAUSE_MS > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
