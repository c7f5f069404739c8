import type { Config } from '#kernel/config/config.js';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import { TLS_CODES } from '#kernel/outbound/outbound-failure.js';
import { WrongAnswer } from '#kernel/object-storage/object-storage.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';

/** Writes to the object store and removes it again. @throws StartProblem for errors that are not temporary */
export async function askObjectStore(config: Config): Promise<void> {
  try {
    const storage = await openObjectStorage(config);
    try {
      await storage.checkWritable();
    } finally {
      storage.close();
    }
  } catch (error) {
    if (error instanceof StartProblem) throw error;
    if (isFinal(error))
      throw new StartProblem(
        `OBJECT_STORE_URL does not point to a writable store (${describe(error)}): correct the bucket, the endpoint, the keys or their permissions.`,
      );
    throw new Error(describe(error), { cause: error });
  }
}

/** Whether S3 rejected the request, except for rate limiting, it is no S3 or does not speak TLS as expected, or no credentials were found. */
function isFinal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const {
    name,
    code,
    $metadata: answer,
  } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  if (name === 'CredentialsProviderError' || error instanceof WrongAnswer) return true;
  if (TLS_CODES.test(code ?? '')) return true;
  const status = answer?.httpStatusCode ?? 0;
  return (status >= 300 && status < 500 && status !== 408 && status !== 429) || status === 501;
}

/** Some S3 errors consist of nothing but a name. */
function describe(error: unknown): string {
  const { name } = error instanceof Error ? error : { name: '' };
  const cause = causeOf(error);
  return ['', 'Error', 'AggregateError', cause].includes(name) ? cause : `${name}: ${cause}`;
}
