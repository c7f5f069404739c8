import type { IncomingMessage } from 'node:http';
import { Transform, type Duplex, type TransformCallback } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { badRequest, HttpError } from '../errors.js';
import { tooLarge } from './bounded-body.js';

/** A client that sends less than `LEAST_BYTES` in this time, while we wait for it, gets a 408. */
const IDLE_MS = 60_000;

/** Bytes of a body below which its client counts as silent. */
export const LEAST_BYTES = 1_024;

type Unpackers = ReadonlyMap<string, () => Duplex>;

const GZIP: Unpackers = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
]);
const UNPACKERS: Readonly<Record<'gzip' | 'any', Unpackers>> = {
  gzip: GZIP,
  any: new Map<string, () => Duplex>([...GZIP, ['deflate', createInflate], ['br', createBrotliDecompress]]),
};

/** Limits of the body of a route. */
export interface BodyOptions {
  /** Limit of the decompressed body. */
  readonly maxBytes: number;
  /** Encodings to decompress; others are refused. If undefined, the body is read as sent, ignoring `Content-Encoding`. */
  readonly inflate?: 'gzip' | 'any';
  readonly idleMs?: number;
  /** Called for each chunk before it is passed on; may refuse the body by throwing. */
  readonly watch?: (piece: Buffer) => void;
}

/**
 * The body of a request as a stream. Any failure (broken compression, a client that disconnects or stalls, too many bytes) destroys only this
 * stream, with the HTTP error to answer: the request stays open for that answer. No listener is needed; a later reader still gets the error,
 * also from `refuseBroken`.
 */
export class TakenBody extends Transform {
  private readonly silence: NodeJS.Timeout;
  private size = 0;
  /** Bytes since the idle timer was last restarted. */
  private fresh = 0;

  /** Use `takeBody`. */
  constructor(
    private readonly request: IncomingMessage,
    private readonly options: BodyOptions,
    private readonly unpacker: Duplex | null,
  ) {
    super();
    this.on('error', () => undefined);
    this.silence = setTimeout(() => this.onSilence(), options.idleMs ?? IDLE_MS);
    request.once('error', this.onGone);
    request.once('close', this.onGone);
    unpacker?.on('error', () => this.destroy(malformed()));
    (unpacker ? request.pipe(unpacker) : request).pipe(this);
    // The client may have disconnected before the read began; the events for that do not repeat.
    if (request.destroyed) this.onGone();
  }

  /** @throws the error of the body, if it has failed so far */
  refuseBroken(): void {
    if (this.errored) throw this.errored;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += piece.length;
    this.fresh += piece.length;
    if (this.fresh >= LEAST_BYTES) this.breakSilence();
    if (this.size > this.options.maxBytes) {
      done(tooLarge());
      return;
    }
    try {
      this.options.watch?.(piece);
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, piece);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.silence);
    this.request.off('error', this.onGone);
    this.request.off('close', this.onGone);
    this.request.unpipe(this.unpacker ?? this);
    this.unpacker?.destroy();
    done(error);
  }

  private readonly onGone = (): void => {
    if (!this.request.readableEnded) this.destroy(malformed());
  };

  /** Waits on if received bytes are still unread: then the reader is slow, not the client. */
  private onSilence(): void {
    const { request, unpacker } = this;
    if (request.readableEnded) return;
    const unread = this.readableLength + this.writableLength + (unpacker?.readableLength ?? 0);
    if (unread + request.readableLength > 0) this.breakSilence();
    else this.destroy(tooSlow());
  }

  private breakSilence(): void {
    this.fresh = 0;
    this.silence.refresh();
  }
}

/** Opens the body of a request, for routes with `@RawBody`. @throws 413 if Content-Length exceeds the limit, 415 for other encodings */
export function takeBody(request: IncomingMessage, options: BodyOptions): TakenBody {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const isPacked = options.inflate !== undefined && encoding !== 'identity';
  const unpacker = isPacked ? UNPACKERS[options.inflate].get(encoding) : undefined;
  if (isPacked && !unpacker) throw new HttpError(415, { message: '415 Unsupported Media Type' });
  if (!isPacked && Number(request.headers['content-length'] ?? 0) > options.maxBytes) throw tooLarge();
  return new TakenBody(request, options, unpacker?.() ?? null);
}

const malformed = (): HttpError => badRequest('400 Bad request');

/** 408 for a body whose client is silent. */
export const tooSlow = (): HttpError =>
  new HttpError(408, { message: '408 Request Timeout' }, { Connection: 'close' });
