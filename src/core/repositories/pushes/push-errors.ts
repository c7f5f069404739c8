import { badRequest, HttpError } from '#kernel/http/errors.js';

/** What everybody reads who wants to change a repository that moves to another storage (`ops.md` 2.4). */
export const READ_ONLY = 'The repository is temporarily read-only. Please try again later.';

/** 400: the repository of this request moves to another storage. */
export const repositoryReadOnly = (): Error => badRequest(READ_ONLY);

/** 409: a ref is not what a change says it was. */
export class RefsHaveMoved extends HttpError {
  constructor() {
    super(409, { message: 'The repository has changed meanwhile. Please try again.' });
  }
}

/** 400 with the text of the rule that refuses a change made by the API. */
export const pushRefused = (text: string): Error => badRequest(text);
