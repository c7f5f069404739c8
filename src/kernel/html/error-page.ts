import type { Application, Request } from 'express';
import type { HttpError } from '#kernel/http/errors.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { page, type PageAnswer } from './page-answer.js';
import type { Html } from './html.js';
import { visitOf } from './visit.js';

/** A failure as a page tells it. */
export interface Failure {
  readonly status: number;
  /** What is wrong, where the answer says more than its status does. */
  readonly details: readonly string[];
  /** Under which the log knows the request. */
  readonly requestId: string;
}

/** Draws a failure; it must not need a session or the database. */
export type ErrorPage = (failure: Failure) => Html;

const LOCAL = 'errorPage';

/** Makes an application answer people with pages where something fails. */
export const installErrorPage = (app: Application, draw: ErrorPage): void => void (app.locals[LOCAL] = draw);

/** How texts for programs begin: status, its name, and a hyphen where more follows. */
const STATUS = /^\d{3} (?:\(Bad request\) |[A-Z][A-Za-z -]*?(?: - |$))/;

/** What of an error's body is a text for people: `{"message":{"name":["is taken"]}}` as "name is taken". */
function detailsOf(body: HttpError['body']): string[] {
  const { message, error_description: description } = body ?? {};
  if (typeof description === 'string') return [description];
  if (typeof message === 'string') return [message.replace(STATUS, '')].filter(Boolean);
  if (typeof message !== 'object' || message === null) return [];
  return Object.entries(message).map(
    ([name, texts]) => `${name} ${Array.isArray(texts) ? texts.join(', ') : 'is invalid'}`,
  );
}

/**
 * The page for a failure, or null where the client is to get JSON: pages fail as pages; so do, outside of the API, paths without a
 * route for clients that say they read HTML.
 */
export function errorPageFor(
  request: Request,
  { status, body, headers }: Pick<HttpError, 'status' | 'body' | 'headers'>,
): PageAnswer | null {
  const draw = request.app.locals[LOCAL] as ErrorPage | undefined;
  if (!draw || !(visitOf(request as ApiRequest) || isForPeople(request))) return null;
  const requestId = String(request.res?.getHeader('X-Request-Id') ?? '');
  return page(draw({ status, details: detailsOf(body), requestId }), status, { headers });
}

const isForPeople = (request: Request): boolean =>
  (request.route as unknown) === undefined &&
  !request.originalUrl.startsWith('/api/') &&
  (request.headers.accept ?? '').includes('text/html');
