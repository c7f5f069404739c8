import type { ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Page } from './paging/page.js';
import type { FoundRoute } from './routes/route.js';

/** What guards and decorators hang on a request, each filled in by the guard that its name says. */
export interface ApiRequest extends Request {
  /** Its route, from the start of the pipeline on. */
  found?: FoundRoute | undefined;
  /** The credentials as they were sent: token guard, which alone knows their type. */
  credential?: unknown;
  /** Parameters bound to the class of the handler: parameters guard. */
  bound?: object;
  /** Pagination of a list: parameters guard. */
  page?: Page;
  /** Who calls and what about: token guard, narrowed by sudo and subject. Its type belongs to core/access. */
  access?: unknown;
  /** What a 401 asks for beside bearer tokens: token guard. */
  challenge?: string;
  /** Judges the caller anew; rejects with what a request of now would be answered. Of routes whose answers last: readmission guard. */
  readmit?: () => Promise<void>;
}

const hasQuery = ({ originalUrl }: Pick<Request, 'originalUrl'>): boolean => originalUrl.includes('?');

/**
 * A parameter of the query by its name, undefined where there is none. Names are compared as they mean, never in the text of the URL, where
 * `%73udo` is `sudo` too.
 */
export const queryParameter = (request: Pick<Request, 'originalUrl' | 'query'>, name: string): unknown =>
  hasQuery(request) ? request.query[name] : undefined;

/** Body, query and path of a request as sources for the binder; a body that is no hash counts as none. */
export function sourcesOf(request: ApiRequest): Readonly<Record<string, unknown>>[] {
  const sources: Readonly<Record<string, unknown>>[] = [request.params];
  const body: unknown = request.body;
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body)) {
    sources.push(body as Record<string, unknown>);
  }
  if (hasQuery(request)) sources.push(request.query);
  return sources;
}

/** The request of a guard or parameter decorator; every guard of every request asks, so it must cost nothing. */
export const requestOf = (context: ExecutionContext): ApiRequest => context.getArgByIndex<ApiRequest>(0);

/** The response beside it. */
export const responseOf = (context: ExecutionContext): Response => context.getArgByIndex<Response>(1);
