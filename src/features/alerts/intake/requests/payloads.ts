import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { Gate } from '#kernel/crypto/gate.js';
import { BodyBudget } from '#kernel/http/bodies/body-budget.js';
import { readBoundedBody, tooLarge } from '#kernel/http/bodies/bounded-body.js';
import { HttpError } from '#kernel/http/errors.js';
import { malformedJson, readJson } from '#kernel/http/bodies/json/parse-body.js';

/** Bytes of a body, as it is sent and as it comes out of any compression (`decisions.md` 2.12). */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

type Inflater = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const INFLATERS: ReadonlyMap<string, Inflater> = new Map([
  ['gzip', promisify<Buffer, object, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, object, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, object, Buffer>(inflate)],
]);

/** What is larger, or will be, waits for its turn: as JSON it takes many times its size. */
const SMALL_BYTES = MAX_BODY_BYTES / 20;
const LARGE_AT_A_TIME = 2;
const MOST_WAITING = 100;

/** Bytes that bodies hold together while they come, and while they wait: their senders may take their time. */
const MAX_HELD = 128 * 1024 * 1024;

/** Reads the JSON of requests in bounded memory. */
@Injectable()
export class Payloads {
  private readonly large = new Gate(LARGE_AT_A_TIME, MOST_WAITING);
  private readonly budget = new BodyBudget(MAX_HELD);

  /**
   * Hands the JSON of a request to `work`, whatever it calls its content: not every tool that can send some can set a header.
   * @throws 400 for what is none or has too many levels, 413 for too much of it, 415 for a compression that is not known, 422 for too many values,
   * 503 for too many large ones at a time
   */
  async use<T>(request: IncomingMessage, work: (payload: unknown) => Promise<T>): Promise<T> {
    const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    const inflater = INFLATERS.get(encoding);
    if (!inflater && encoding !== 'identity')
      throw new HttpError(415, { message: '415 Unsupported Media Type' });
    return this.budget.use(async (watch) => {
      const sent = await readBoundedBody(request, MAX_BODY_BYTES, watch);
      if (!inflater && sent.length <= SMALL_BYTES) return work(readJson(sent));
      return this.large.run(async () => work(readJson(inflater ? await inflated(sent, inflater) : sent)));
    });
  }
}

/** Stops where the limit is passed, however much more would come. */
async function inflated(bytes: Buffer, inflater: Inflater): Promise<Buffer> {
  try {
    return await inflater(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : malformedJson();
  }
}
