import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { malformedJson, readJson } from '#kernel/http/bodies/json/parse-body.js';
import { PackedBodies } from '#kernel/http/bodies/packed-bodies.js';
import { HttpError } from '#kernel/http/errors.js';

const MEBIBYTE = 1024 * 1024;

/** Limit of the compressed and uncompressed size (`decisions.md` 2.12). */
const MAX_BYTES = 5 * MEBIBYTE;

/** Parses the JSON of requests in bounded memory. */
@Injectable()
export class PayloadsService {
  private readonly bodies = new PackedBodies({
    encodings: ['gzip', 'x-gzip', 'deflate'],
    maxPacked: MAX_BYTES,
    maxBytes: MAX_BYTES,
    // Parsed JSON takes many times its size.
    smallBytes: MAX_BYTES / 20,
    largeAtOnce: 2,
    maxWaiting: 100,
    maxHeld: 128 * MEBIBYTE,
    unknown: () => new HttpError(415, { message: '415 Unsupported Media Type' }),
    broken: malformedJson,
  });

  /**
   * Passes the JSON of a request to `work`, regardless of its content type, because some tools cannot set
   * headers.
   * @throws 400 for invalid JSON or too many levels, 413 if it is too large, 415 for an unknown compression,
   * 422 for too many values, 503 for too many large ones at a time
   */
  use<T>(request: IncomingMessage, work: (payload: unknown) => Promise<T>): Promise<T> {
    return this.bodies.use(request, async (body) => work(readJson(body)));
  }
}
