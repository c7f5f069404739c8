import { badRequest, HttpError } from '#kernel/http/errors.js';

/** Error message for changes of a repository that is being moved (`ops.md` 2.4). */
export const READ_ONLY = 'The repository is temporarily read-only. Please try again later.';

/** Error 400: the repository of the request is being moved to another storage. */
export const repositoryReadOnly = (): Error => badRequest(READ_ONLY);

/** Returns whether an error means that a repository is being moved: the same succeeds after the move. */
export const isReadOnly = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.message === READ_ONLY;

/** Error 409: a ref does not have the expected value. */
export class RefsHaveMoved extends HttpError {
  constructor() {
    super(409, { message: 'The repository was changed in the meantime. Please try again.' });
  }
}

/** Error 400 with the text of the push rule that rejects a change by the API. */
export const pushRefused = (text: string): Error => badRequest(text);
