import { HttpError } from '#kernel/http/errors.js';

/** Error 422 with complete sentences, as clients expect for protected environments. */
export const unprocessable = (...sentences: readonly string[]): HttpError =>
  new HttpError(422, { message: [...sentences] });
