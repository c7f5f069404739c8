import type { NextFunction, Request } from 'express';
import qs from 'qs';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { badRequest } from '../errors.js';
import { numberHashes } from './form-lists.js';
import { LongValues } from './json/long-values.js';
import { parseQuery, QUERY_LIMITS } from './query-string.js';

/** Longer forms are read by the general parser; shorter ones cannot have too many parameters either. */
const MAX_BYTES = 2_048;

const PLAIN = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;

/** Whether the body is a short form, sent as it is. */
export function isSmallForm({ headers }: Pick<Request, 'headers'>): boolean {
  const length = Number(headers['content-length']);
  return (
    length > 0 &&
    length <= MAX_BYTES &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    PLAIN.test(headers['content-type'] ?? '')
  );
}

/**
 * Reads a short form into `request.body`, with the results of the general parser but without its way through charsets, encodings
 * and limits, which costs a token request a tenth of its time (measured).
 */
export function readSmallForm(request: Request, next: NextFunction): void {
  const chunks: Buffer[] = [];
  // Events of the stream do not come in the context of the request.
  const context = requestContext.getStore() as RequestContext;
  const goOn = (error?: unknown): void => requestContext.run(context, () => next(error));
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('error', goOn);
  request.on('end', () => {
    // Who goes away from here on has sent all the same: what runs is not told twice.
    request.off('error', goOn);
    const text = Buffer.concat(chunks).toString('utf8');
    try {
      request.body = isFlat(text) ? parseQuery(text) : parseNested(text);
    } catch (error) {
      goOn(error);
      return;
    }
    goOn();
  });
}

/** Whether both parsers read the text alike: no brackets, and no escapes that mean nothing. */
function isFlat(text: string): boolean {
  if (!text.includes('%')) return !text.includes('[');
  if (/\[|%5b/i.test(text)) return false;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a form with brackets, and lists of hashes without numbers, as some v4 clients send them.
 * @throws 400 for more levels than are read
 */
export function parseNested(text: string): object {
  return parseValues(new LongValues(text, 'utf-8'));
}

/** The same of a form whose long values may have been read before. @throws 400 for more levels than are read */
export function parseValues(long: LongValues): object {
  const form = numberHashes(long.form);
  try {
    return qs.parse(form, {
      ...QUERY_LIMITS,
      arrayLimit: Math.max(100, form.split('&').length),
      decoder: (part) => long.read(part),
      allowPrototypes: true,
      strictDepth: true,
    });
  } catch (error) {
    throw error instanceof RangeError ? badRequest('400 Bad request') : error;
  }
}
