import type { Application, Request } from 'express';
import type { HttpError } from './errors.js';

/** Translates an error of a path into the format of a standard that its clients expect; null to keep the format of the API. */
export type ErrorWords = (path: string, failure: HttpError) => HttpError | null;

const LOCAL = 'errorWords';

/** Installs a translation of errors in an application; it also applies to errors that occur before the route is found. */
export const installErrorWords = (app: Application, words: ErrorWords): void =>
  void (app.locals[LOCAL] = words);

/** Translates an error; null if no translation applies. */
export const translateError = (request: Request, failure: HttpError): HttpError | null =>
  (request.app.locals[LOCAL] as ErrorWords | undefined)?.(request.path, failure) ?? null;
