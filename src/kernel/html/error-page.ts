import type { Application, Request } from 'express';
import type { HttpError } from '#kernel/http/errors.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { page, type PageAnswer } from './page-answer.js';
import type { Html } from './html.js';
import { visitOf } from './visit.js';

/** A failure as shown on a page. */
export interface Failure {
  readonly status: number;
  /** Details that the response has beyond its status. */
  readonly details: readonly string[];
  /** Id of the request in the log. */
  readonly requestId: string;
}

/** Renders a failure; must need neither a session nor the database. */
export type ErrorPage = (failure: Failure) => Html;

const LOCAL = 'errorPage';

/** Makes an application respond with error pages for people. */
export const installErrorPage = (app: Application, draw: ErrorPage): void => void (app.locals[LOCAL] = draw);

/** Start of API error messages: status, its name, and a hyphen if more follows. */
const STATUS = /^\d{3} (?:\(Bad request\) |[A-Z][A-Za-z -]*?(?: - |$))/;

/**
 * Extracts readable texts from an error's body: `{"message":{"name":["is taken"]}}` gives "name is taken".
 */
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
 * Returns the page for a failure, or null if the client should get JSON. Pages fail as pages; so do, outside
 * the API, paths without a route for clients that accept HTML.
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
