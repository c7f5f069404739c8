import type { Request } from 'express';
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TEXTS } from '../access/git-texts.js';
import { GitRefusal } from '../git-answer.js';
import { PacketWalk } from './packet-walk.js';

/** Bounds of a body, in bytes as they come out of any compression. */
interface BodyLimits {
  readonly total: number;
  /** Of the packets before the pack; they are held in memory by git. */
  readonly packets: number;
}

/** Passes a body on as far as it is allowed to go. */
class BoundedBody extends Transform {
  private size = 0;
  private packets = 0;
  private readonly walk = new PacketWalk();
  private rest: Buffer = Buffer.alloc(0);
  private isPack = false;

  constructor(private readonly limits: BodyLimits) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    if (!this.isPack) this.count(chunk);
    const isTooLarge = this.size > this.limits.total || this.packets > this.limits.packets;
    if (isTooLarge) done(new GitRefusal(413, TEXTS.tooLarge, { Connection: 'close' }));
    else done(null, chunk);
  }

  private count(chunk: Buffer): void {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const walked = this.walk.run(bytes, ({ length }) => {
      this.packets += Math.max(length, 4);
      return true;
    });
    this.isPack = walked === null;
    this.rest = walked === null ? Buffer.alloc(0) : Buffer.from(bytes.subarray(walked));
  }
}

/** The body of a request, inflated where it is compressed, within limits. An error of its own destroys it. @throws 415 */
export function requestBody(request: Request, contentType: string, limits: BodyLimits): Readable {
  if (request.headers['content-type'] !== contentType) throw new GitRefusal(415, TEXTS.mediaType);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const body = new BoundedBody(limits);
  if (encoding === 'identity') {
    request.once('aborted', () => body.destroy());
    return request.pipe(body);
  }
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new GitRefusal(415, TEXTS.mediaType);
  const gunzip = createGunzip();
  gunzip.on('error', () => body.destroy(new GitRefusal(400, TEXTS.malformed)));
  body.once('close', () => gunzip.destroy());
  request.once('aborted', () => body.destroy());
  return request.pipe(gunzip).pipe(body);
}
