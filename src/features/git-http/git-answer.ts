import type { Response } from 'express';
import { BASIC_CHALLENGE, HttpError } from '#kernel/http/errors.js';
import { logger } from '#kernel/log/logger.js';
import { TEXTS } from './access/git-texts.js';

/** An error response to a git client: one line of plain text, which git shows to its user. */
export class GitRefusal extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
  ) {
    super(text);
  }
}

/** Error 401 for missing or wrong credentials, for any request. */
export const denied = (): GitRefusal =>
  new GitRefusal(401, TEXTS.denied, { 'WWW-Authenticate': BASIC_CHALLENGE });

/** Error 403 with the reason. */
export const notAllowed = (text: string): GitRefusal => new GitRefusal(403, text);

/** Error 503 with the delay after which to retry. */
export const unavailable = (text: string, retryAfterSeconds = 5): GitRefusal =>
  new GitRefusal(503, text, { 'Retry-After': String(retryAfterSeconds) });

const NO_CACHE: Readonly<Record<string, string>> = {
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  Pragma: 'no-cache',
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
};

/** Starts a successful response of git's protocol. */
export function beginAnswer(response: Response, contentType: string): void {
  response.statusCode = 200;
  for (const name in NO_CACHE) response.setHeader(name, NO_CACHE[name] as string);
  response.setHeader('Content-Type', contentType);
}

/**
 * Sends an error as text; an unexpected error reveals nothing about itself. A response that has started is
 * cut off.
 */
export function sendRefusal(response: Response, error: unknown): void {
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  const { status, text, headers } = refusalOf(error);
  const all = { ...NO_CACHE, ...headers, 'Content-Type': 'text/plain; charset=utf-8' };
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
  response.statusCode = status;
  const body = response.req.method === 'HEAD' ? undefined : text;
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(body);
}

/** Errors about bodies, in words for git users. */
const OF_BODIES: Readonly<Record<number, string>> = {
  400: TEXTS.malformed,
  413: TEXTS.tooLarge,
  415: TEXTS.mediaType,
};

/** Unread bytes of the body must not be taken for the next request. */
const CLOSE = { Connection: 'close' };

function refusalOf(error: unknown): GitRefusal {
  if (error instanceof GitRefusal) return error;
  if (error instanceof HttpError) {
    const text = OF_BODIES[error.status] ?? error.message;
    return new GitRefusal(error.status, text, error.status === 413 ? CLOSE : error.headers);
  }
  logger.error({ error }, 'A git request failed');
  return unavailable(TEXTS.unavailable);
}
