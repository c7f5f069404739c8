import { HttpError } from '#kernel/http/errors.js';

/** Error message for users of an unavailable repository. */
export const NOT_AVAILABLE = 'The repository is not available';

/** Error 503: the repository is recorded but missing on disk; only its disk or a backup brings it back. */
export class RepositoryUnavailable extends HttpError {
  constructor() {
    super(503, { message: NOT_AVAILABLE }, { 'Retry-After': '60' });
  }
}
