import type { Request } from 'express';
import { takeBody, type TakenBody } from '#kernel/http/bodies/taken-body.js';
import { TEXTS } from '../access/git-texts.js';
import { GitRefusal } from '../git-answer.js';
import { PacketWalk } from './packet-walk.js';

/** Limits of a body, in uncompressed bytes. */
interface BodyLimits {
  readonly total: number;
  /** Of the packets before the pack, which git holds in memory. */
  readonly packets: number;
  /** Milliseconds within which more bytes must arrive. */
  readonly idleMs: number;
}

/** Counts the bytes of packets before a pack. */
class PacketCount {
  private packets = 0;
  private readonly walk = new PacketWalk();
  private rest: Buffer = Buffer.alloc(0);
  private isPack = false;

  constructor(private readonly most: number) {}

  /** Counts a chunk. @throws 413 */
  readonly take = (piece: Buffer): void => {
    if (this.isPack) return;
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, piece]) : piece;
    const walked = this.walk.run(bytes, ({ length }) => {
      this.packets += Math.max(length, 4);
      return true;
    });
    this.isPack = walked === null;
    this.rest = walked === null ? Buffer.alloc(0) : Buffer.from(bytes.subarray(walked));
    if (this.packets > this.most) throw new GitRefusal(413, TEXTS.tooLarge, { Connection: 'close' });
  };
}

/** Returns the body of a request, decompressed if needed, within limits. @throws 413, 415 */
export function requestBody(
  request: Request,
  contentType: string,
  { total, packets, idleMs }: BodyLimits,
): TakenBody {
  if (request.headers['content-type'] !== contentType) throw new GitRefusal(415, TEXTS.mediaType);
  const { take } = new PacketCount(packets);
  return takeBody(request, { maxBytes: total, inflate: 'gzip', idleMs, watch: take });
}
