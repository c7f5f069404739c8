import type { AccessRule } from '#kernel/access/access.js';
import { HttpError } from '#kernel/http/errors.js';
import type { ApiRequest } from '#kernel/http/request.js';

/** Returns whether an error refuses the credential of a request. */
export type LateRefusal = (error: unknown) => boolean;

/** The token of a job that has ended is a known one. */
const isOfMachine: LateRefusal = (error) =>
  error instanceof HttpError &&
  (error.status === 401 || error.status === 403) &&
  error.headers['Job-Status'] === undefined;

/** Wrong codes and refresh tokens are the same errors as malformed requests; a limit has counted already. */
const isOfClient: LateRefusal = (error) => {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0;
  return status >= 400 && status < 500 && status !== 429;
};

/**
 * Tells refused credentials of programs that keep one address busy: runners, monitoring, git, OAuth clients.
 * Returns null if the request is to be counted as anonymous before it is examined.
 */
export function lateRefusal(
  credential: AccessRule['credential'],
  { headers }: Pick<ApiRequest, 'headers'>,
): LateRefusal | null {
  if (credential === 'runner' || credential === 'job' || credential === 'alert-key') return isOfMachine;
  if (credential === 'oauth') return isOfClient;
  // Git also fetches without any credentials; the header must be what `readBasic` reads, or anonymous fetches go uncounted.
  return credential === 'git-basic' && /^basic(\s|$)/i.test(headers.authorization ?? '') ? isOfClient : null;
}
