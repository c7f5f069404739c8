import { HttpError } from '#kernel/http/errors.js';

/** What everybody reads whose repository cannot be used. */
export const NOT_AVAILABLE = 'The repository is not available';

/** 503: the repository is known, but not where it should be; only its disk or a backup brings it back. */
export class RepositoryUnavailable extends HttpError {
  constructor() {
    super(503, { message: NOT_AVAILABLE }, { 'Retry-After': '60' });
  }
}
