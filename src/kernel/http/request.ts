import type { ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isPlainObject } from './plain-object.js';
import type { Page } from './paging/page.js';
import type { FoundRoute } from './routes/route.js';

/**
 * A request with what guards and decorators add to it; each field is set by the guard named in its comment.
 */
export interface ApiRequest extends Request {
  /** Its route, from the start of the pipeline. */
  found?: FoundRoute | undefined;
  /** The credential as sent: token guard, which alone knows its type. */
  credential?: unknown;
  /** Parameters bound to the class of the handler: parameters guard. */
  bound?: object;
  /** Pagination of a list: parameters guard. */
  page?: Page;
  /**
   * Caller and subject: token guard, refined by the guards of sudo and subject. Its type belongs to
   * core/access.
   */
  access?: unknown;
  /** Challenge of a 401 in addition to bearer tokens: token guard. */
  challenge?: string;
  /**
   * Checks the caller again; rejects with the error that a new request would get. Only on routes with
   * long-lived responses: readmission guard.
   */
  readmit?: () => Promise<void>;
  /**
   * Called with the error of a request whose credential is checked late; returns the error to answer with.
   * Only on routes of programs: token guard.
   */
  judgeFailure?: ((error: unknown) => Promise<unknown>) | undefined;
  /**
   * Counts such a request as an anonymous one, for a success that proves nothing. @throws 429
   */
  countAnonymous?: () => Promise<void>;
}

const hasQuery = ({ originalUrl }: Pick<Request, 'originalUrl'>): boolean => originalUrl.includes('?');

/**
 * Returns a query parameter by name, or undefined. Compares decoded names, because in the text of the URL
 * `%73udo` is `sudo` too.
 */
export const queryParameter = (request: Pick<Request, 'originalUrl' | 'query'>, name: string): unknown =>
  hasQuery(request) ? request.query[name] : undefined;

/**
 * Returns body, query and path of a request as sources for the binder; a body that is not an object counts as
 * none.
 */
export function sourcesOf(request: ApiRequest): Readonly<Record<string, unknown>>[] {
  const sources: Readonly<Record<string, unknown>>[] = [request.params];
  const body: unknown = request.body;
  if (isPlainObject(body) && !Buffer.isBuffer(body)) sources.push(body);
  if (hasQuery(request)) sources.push(request.query);
  return sources;
}

/**
 * The request of a guard or parameter decorator; called by every guard of every request, so it must cost
 * nothing.
 */
export const requestOf = (context: ExecutionContext): ApiRequest => context.getArgByIndex<ApiRequest>(0);

/** The response of the request. */
export const responseOf = (context: ExecutionContext): Response => context.getArgByIndex<Response>(1);
