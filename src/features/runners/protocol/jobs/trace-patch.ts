import { readBoundedBody } from '#kernel/http/bodies/bounded-body.js';
import { badRequest } from '#kernel/http/errors.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { blotSecret } from '#core/ci/traces/split-secret.js';

/** Runners send a mebibyte at a time; more than this is no part of a trace. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Start and end, of which runners count the end differently: only the start is told by it. */
const CONTENT_RANGE = /^(?:bytes )?(\d{1,15})-\d{0,15}(?:\/.*)?$/;

/** A part of a trace. */
export interface TracePatch {
  /** Null when the range cannot be read: no trace ends there. */
  readonly start: number | null;
  readonly data: Buffer;
}

/** Reads a part of a trace. The token of the job is blotted out where it appears, at the same length. @throws 400, 413 */
export async function readTracePatch(request: ApiRequest, token: string): Promise<TracePatch> {
  const range = request.headers['content-range'];
  if (range === undefined) throw badRequest('400 Missing header Content-Range');
  const start = CONTENT_RANGE.exec(range)?.[1];
  const data = await readBoundedBody(request, MAX_BYTES);
  // Runners mask the token themselves; where one does not, nobody is to read it all the same.
  blotSecret(data, token);
  return { start: start === undefined ? null : Number(start), data };
}
