import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type InputType, type ZlibOptions } from 'node:zlib';
import { Gate } from '#kernel/crypto/gate.js';
import { BodyBudget } from '#kernel/http/bodies/body-budget.js';
import { readBoundedBody, tooLarge } from '#kernel/http/bodies/bounded-body.js';
import { unreadable } from '../intake-errors.js';

const MEBIBYTE = 1024 * 1024;

/** Bytes of a body as it is sent, where it is compressed, and of what comes out (`decisions.md` 2.12). */
const MAX_COMPRESSED = MEBIBYTE;
const MAX_INFLATED = 20 * MEBIBYTE;

/** What is larger waits for its turn: few bodies are ever held at their full size. */
const SMALL = MEBIBYTE / 4;
const LARGE_AT_A_TIME = 2;
const MAX_WAITING = 1_000;

/** Bytes that bodies hold together while they come, and while they wait: their senders may take their time. */
const MAX_HELD = 128 * MEBIBYTE;

/** Each piece that comes out takes a turn of this thread, and as much memory even where it is not filled. */
const PIECES = 16;

type Inflate = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

/** Some send the bare stream as `deflate`, which has no header of zlib. */
const inflateEither: Inflate = (bytes, options) =>
  isZlib(bytes as Buffer) ? promisify(inflate)(bytes, options) : promisify(inflateRaw)(bytes, options);

const ENCODINGS: ReadonlyMap<string, Inflate | null> = new Map<string, Inflate | null>([
  ['', null],
  ['identity', null],
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', inflateEither],
  ['br', promisify(brotliDecompress)],
]);

/** Reads what SDKs send, compressed or not, in bounded memory. */
@Injectable()
export class SentBodies {
  private readonly large = new Gate(LARGE_AT_A_TIME, MAX_WAITING);
  private readonly budget = new BodyBudget(MAX_HELD);

  /** Hands the body of a request to `work`. @throws 400 when it cannot be inflated, 413, 503 for too many large ones at a time */
  async use<T>(request: IncomingMessage, work: (body: Buffer) => Promise<T>): Promise<T> {
    const inflater = inflaterOf(request);
    return this.budget.use(async (watch) => {
      const sent = await readBoundedBody(request, inflater ? MAX_COMPRESSED : MAX_INFLATED, watch);
      const small = await inflated(inflater, sent, SMALL);
      if (small) return work(small);
      return this.large.run(async () => {
        const body = await inflated(inflater, sent, MAX_INFLATED);
        if (!body) throw tooLarge();
        return work(body);
      });
    });
  }
}

/** Null for a body that is sent as it is. @throws 400 for an encoding that nobody uses */
function inflaterOf({ headers }: IncomingMessage): Inflate | null {
  const inflater = ENCODINGS.get((headers['content-encoding'] ?? '').trim().toLowerCase());
  if (inflater === undefined) throw unreadable();
  return inflater;
}

/** What comes out, or null for more than `maxBytes`: no more than that is ever inflated. @throws 400 */
async function inflated(inflater: Inflate | null, sent: Buffer, maxBytes: number): Promise<Buffer | null> {
  if (!inflater) return sent.length > maxBytes ? null : sent;
  try {
    return await inflater(sent, { maxOutputLength: maxBytes, chunkSize: maxBytes / PIECES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw unreadable();
  }
}

/** RFC 1950: method 8, and a header that divides by 31. */
const isZlib = (bytes: Buffer): boolean =>
  bytes.length >= 2 && ((bytes[0] as number) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
