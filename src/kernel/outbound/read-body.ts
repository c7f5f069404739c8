import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundFailure, outboundFailure } from './outbound-failure.js';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Passes data on, up to a limit. */
class Limit extends Transform {
  private bytes = 0;

  constructor(private readonly max: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.max) done(tooLarge());
    else done(null, chunk);
  }
}

const tooLarge = (): OutboundFailure => new OutboundFailure('too-large', 'The response is too large');

/**
 * Writes the decompressed body of a response to `sink`. One shorter than announced ends with an error of the
 * parser.
 * @throws OutboundFailure, or the reason of the signal
 */
export async function readBody(
  answer: IncomingMessage,
  sink: Writable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    await pipeline([answer, new Limit(maxBytes), ...decoded(answer, maxBytes), sink], { signal });
  } catch (error) {
    answer.destroy();
    sink.destroy();
    if (signal.aborted) throw signal.reason;
    if (isOurs(error)) throw error;
    throw outboundFailure(error);
  }
}

/** A full disk is not a failure of the other host. */
const isOurs = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'ENOENT', 'EACCES'].includes(
    (error as NodeJS.ErrnoException | null)?.code ?? '',
  );

function decoded({ headers }: IncomingMessage, maxBytes: number): readonly Transform[] {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return [];
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!decoder) throw new OutboundFailure('garbled', 'The response cannot be read');
  return [decoder(), new Limit(maxBytes)];
}
