import type { Application, Request } from 'express';
import type { HttpError } from './errors.js';

/** The failure of a request to this path in the words of a standard that its clients know; null where those of the API do. */
export type ErrorWords = (path: string, failure: HttpError) => HttpError | null;

const LOCAL = 'errorWords';

/** Makes an application tell failures of some paths, also those that come up before their route is found, in words of their own. */
export const installErrorWords = (app: Application, words: ErrorWords): void =>
  void (app.locals[LOCAL] = words);

/** The failure in those words; null where there are none for it. */
export const translateError = (request: Request, failure: HttpError): HttpError | null =>
  (request.app.locals[LOCAL] as ErrorWords | undefined)?.(request.path, failure) ?? null;
