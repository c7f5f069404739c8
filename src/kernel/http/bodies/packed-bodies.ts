import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type InputType, type ZlibOptions } from 'node:zlib';
import { Gate } from '#kernel/crypto/gate.js';
import type { HttpError } from '../errors.js';
import { BodyBudget } from './body-budget.js';
import { readBoundedBody, tooLarge } from './bounded-body.js';

/** Each piece that comes out takes a turn of this thread, and as much memory even where it is not filled. */
const PIECES = 16;

type Inflate = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

/** Some send the bare stream as `deflate`, which has no header of zlib. */
const inflateEither: Inflate = (bytes, options) =>
  isZlib(bytes as Buffer) ? promisify(inflate)(bytes, options) : promisify(inflateRaw)(bytes, options);

const INFLATERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: inflateEither,
  br: promisify(brotliDecompress),
} satisfies Record<string, Inflate>;

/** What one kind of route takes. */
export interface PackedBodyLimits {
  /** Each `Content-Encoding` that is unpacked. */
  readonly encodings: readonly (keyof typeof INFLATERS)[];
  /** Bytes of a body as it is sent, where it is compressed. */
  readonly maxPacked: number;
  /** Bytes of a body as it comes out of any compression. */
  readonly maxBytes: number;
  /** What is larger waits for its turn: few bodies are ever held at their full size. */
  readonly smallBytes: number;
  readonly largeAtOnce: number;
  readonly maxWaiting: number;
  /** Bytes that bodies hold together while they come, and while they wait: their senders may take their time. */
  readonly maxHeld: number;
  /** The answer to another encoding. */
  readonly unknown: () => HttpError;
  /** The answer to what cannot be unpacked. */
  readonly broken: () => HttpError;
}

/** Reads bodies, compressed or not, in bounded memory. */
export class PackedBodies {
  private readonly large: Gate;
  private readonly budget: BodyBudget;

  constructor(private readonly limits: PackedBodyLimits) {
    this.large = new Gate(limits.largeAtOnce, limits.maxWaiting);
    this.budget = new BodyBudget(limits.maxHeld);
  }

  /** Hands the body of a request to `work`. @throws what the limits say of its compression, 413, 503 for too many large ones at a time */
  async use<T>(request: IncomingMessage, work: (body: Buffer) => Promise<T>): Promise<T> {
    const { maxPacked, maxBytes, smallBytes } = this.limits;
    const inflater = this.inflaterOf(request);
    return this.budget.use(async (watch) => {
      const sent = await readBoundedBody(request, inflater ? maxPacked : maxBytes, watch);
      const small = await this.inflated(inflater, sent, smallBytes);
      if (small) return work(small);
      return this.large.run(async () => {
        const body = await this.inflated(inflater, sent, maxBytes);
        if (!body) throw tooLarge();
        return work(body);
      });
    });
  }

  /** Null for a body that is sent as it is. */
  private inflaterOf({ headers }: IncomingMessage): Inflate | null {
    const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
    if (encoding === '' || encoding === 'identity') return null;
    const known = this.limits.encodings.find((one) => one === encoding);
    if (known === undefined) throw this.limits.unknown();
    return INFLATERS[known];
  }

  /** What comes out, or null for more than `maxBytes`: no more than that is ever inflated. */
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

/** RFC 1950: method 8, and a header that divides by 31. */
const isZlib = (bytes: Buffer): boolean =>
  bytes.length >= 2 && ((bytes[0] as number) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
