import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type InputType, type ZlibOptions } from 'node:zlib';
import { FairPool } from '#kernel/processes/fair-pool.js';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import type { HttpError } from '../errors.js';
import { BodyBudget } from './body-budget.js';
import { readBoundedBody, tooLarge } from './bounded-body.js';

/** Largest number of chunks of an inflated body: each costs a turn of the event loop, and its full size in memory even if it is not filled. */
const PIECES = 16;

/** Senders give up after 30 s, as a rule. */
const LARGE_WAIT_MS = 30_000;

type Inflate = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

/** Some clients send raw deflate, without the zlib header, as `deflate`. */
const inflateEither: Inflate = (bytes, options) =>
  isZlib(bytes as Buffer) ? promisify(inflate)(bytes, options) : promisify(inflateRaw)(bytes, options);

const INFLATERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: inflateEither,
  br: promisify(brotliDecompress),
} satisfies Record<string, Inflate>;

/** Limits of the bodies of one kind of route. */
export interface PackedBodyLimits {
  /** Accepted values of `Content-Encoding`. */
  readonly encodings: readonly (keyof typeof INFLATERS)[];
  /** Limit of a compressed body as sent. */
  readonly maxPacked: number;
  /** Limit of a decompressed body. */
  readonly maxBytes: number;
  /** Larger bodies wait for one of `largeAtOnce` slots, clients in turn, which bounds the memory of inflated bodies. */
  readonly smallBytes: number;
  readonly largeAtOnce: number;
  readonly maxWaiting: number;
  /** Budget of all bodies that arrive or wait, because clients may send slowly. */
  readonly maxHeld: number;
  /** Error for other encodings. */
  readonly unknown: () => HttpError;
  /** Error for a body that cannot be decompressed. */
  readonly broken: () => HttpError;
}

/** Reads plain and compressed bodies in bounded memory. */
export class PackedBodies {
  private readonly large: FairPool;
  private readonly budget: BodyBudget;

  constructor(private readonly limits: PackedBodyLimits) {
    const { largeAtOnce: width, maxWaiting: waiting } = limits;
    this.large = new FairPool({ width, share: width, waiting, waitMs: LARGE_WAIT_MS });
    this.budget = new BodyBudget(limits.maxHeld);
  }

  /** Runs `work` on the decompressed body. @throws `unknown` or `broken` of the limits, 413, 503 for too many large bodies at a time */
  async use<T>(request: IncomingMessage, work: (body: Buffer) => Promise<T>): Promise<T> {
    const { maxPacked, maxBytes, smallBytes } = this.limits;
    const inflater = this.inflaterOf(request);
    return this.budget.use(async (watch) => {
      const sent = await readBoundedBody(request, inflater ? maxPacked : maxBytes, watch);
      const small = await this.inflated(inflater, sent, smallBytes);
      if (small) return work(small);
      const release = await this.large.take({ holders: [clientKey()] });
      try {
        const body = await this.inflated(inflater, sent, maxBytes);
        if (!body) throw tooLarge();
        return await work(body);
      } finally {
        release();
      }
    });
  }

  /** Null if the body is not compressed. */
  private inflaterOf({ headers }: IncomingMessage): Inflate | null {
    const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
    if (encoding === '' || encoding === 'identity') return null;
    const known = this.limits.encodings.find((one) => one === encoding);
    if (known === undefined) throw this.limits.unknown();
    return INFLATERS[known];
  }

  /** Decompresses up to `maxBytes`; null if the body is larger. */
  private async inflated(inflater: Inflate | null, sent: Buffer, maxBytes: number): Promise<Buffer | null> {
    if (!inflater) return sent.length > maxBytes ? null : sent;
    try {
      return await inflater(sent, { maxOutputLength: maxBytes, chunkSize: maxBytes / PIECES });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
      throw this.limits.broken();
    }
  }
}

/** RFC 1950: method 8, and a header that is a multiple of 31. */
const isZlib = (bytes: Buffer): boolean =>
  bytes.length >= 2 && ((bytes[0] as number) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
