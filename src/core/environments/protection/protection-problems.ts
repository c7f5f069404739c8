import { HttpError } from '#kernel/http/errors.js';

/** 422 with whole sentences, as clients know them of protected environments. */
export const unprocessable = (...sentences: readonly string[]): HttpError =>
  new HttpError(422, { message: [...sentences] });
