import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { entityTag, isUnmodified } from '../conditional.js';

/** Smaller ones are not worth the work at the other end. */
const MIN_PACKED = 1_024;

/** The best quality takes seconds for a megabyte. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/**
 * A response that is the same for all callers as long as the process runs: created once, in every encoding,
 * and sent as bytes that requests share.
 */
export class ConstantAnswer {
  private constructor(
    readonly type: string,
    private readonly plain: Buffer,
    private readonly packed: ReadonlyMap<string, Buffer>,
    private readonly tag: string,
  ) {}

  static async of(type: string, content: string): Promise<ConstantAnswer> {
    const plain = Buffer.from(content);
    const packed = new Map<string, Buffer>();
    if (plain.length >= MIN_PACKED) {
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(plain, BROTLI),
        promisify<Buffer, Buffer>(gzip)(plain),
      ]);
      packed.set('br', br).set('gzip', gz);
    }
    return new ConstantAnswer(type, plain, packed, entityTag(plain));
  }

  /** Writes the whole answer; headers that are set stand. */
  write(request: Pick<IncomingMessage, 'headers' | 'method'>, response: ServerResponse): void {
    response.setHeader('ETag', this.tag);
    response.appendHeader('Vary', 'Accept-Encoding');
    if (isUnmodified(request.headers['if-none-match'], this.tag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    const encoding = this.encodingFor(request.headers['accept-encoding'] ?? '');
    const bytes = this.packed.get(encoding) ?? this.plain;
    if (encoding !== '') response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', this.type);
    response.setHeader('Content-Length', bytes.length);
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  /** The smallest one that the client names and does not refuse (`q=0`). */
  private encodingFor(accepted: string): string {
    if (accepted === '') return '';
    for (const name of this.packed.keys())
      if (
        new RegExp(
          `(?:^|,)\\s*${name}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[\\d.]+\\s*)?(?:,|$)`,
          'i',
        ).test(accepted)
      )
        return name;
    return '';
  }
}
