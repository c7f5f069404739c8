import { readBoundedBody } from '#kernel/http/bodies/bounded-body.js';
import { badRequest } from '#kernel/http/errors.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { blotSecret } from '#core/ci/traces/split-secret.js';

/** Runners send a mebibyte at a time; larger bodies are invalid. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Start and end; runners count the end differently, so only the start is used. */
const CONTENT_RANGE = /^(?:bytes )?(\d{1,15})-\d{0,15}(?:\/.*)?$/;

/** A part of a trace. */
export interface TracePatch {
  /** Null if the range is invalid, which then matches no trace. */
  readonly start: number | null;
  readonly data: Buffer;
}

/** Reads a part of a trace. The job token is masked without changing the length. @throws 400, 413 */
export async function readTracePatch(request: ApiRequest, token: string): Promise<TracePatch> {
  const range = request.headers['content-range'];
  if (range === undefined) throw badRequest('400 Missing header Content-Range');
  const start = CONTENT_RANGE.exec(range)?.[1];
  const data = await readBoundedBody(request, MAX_BYTES);
  // Runners mask the token themselves; this covers those that do not.
  blotSecret(data, token);
  return { start: start === undefined ? null : Number(start), data };
}
