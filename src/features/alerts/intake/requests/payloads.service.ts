import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { malformedJson, readJson } from '#kernel/http/bodies/json/parse-body.js';
import { PackedBodies } from '#kernel/http/bodies/packed-bodies.js';
import { HttpError } from '#kernel/http/errors.js';

const MEBIBYTE = 1024 * 1024;

/** As it is sent and as it comes out of any compression (`decisions.md` 2.12). */
const MAX_BYTES = 5 * MEBIBYTE;

/** Reads the JSON of requests in bounded memory. */
@Injectable()
export class PayloadsService {
  private readonly bodies = new PackedBodies({
    encodings: ['gzip', 'x-gzip', 'deflate'],
    maxPacked: MAX_BYTES,
    maxBytes: MAX_BYTES,
    // As JSON it takes many times its size.
    smallBytes: MAX_BYTES / 20,
    largeAtOnce: 2,
    maxWaiting: 100,
    maxHeld: 128 * MEBIBYTE,
    unknown: () => new HttpError(415, { message: '415 Unsupported Media Type' }),
    broken: malformedJson,
  });

  /**
   * Hands the JSON of a request to `work`, whatever it calls its content: not every tool that can send some can set a header.
   * @throws 400 for what is none or has too many levels, 413 for too much of it, 415 for a compression that is not known, 422 for too many values,
   * 503 for too many large ones at a time
   */
  use<T>(request: IncomingMessage, work: (payload: unknown) => Promise<T>): Promise<T> {
    return this.bodies.use(request, async (body) => work(readJson(body)));
  }
}
