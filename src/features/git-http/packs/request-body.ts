import type { Request } from 'express';
import { takeBody, type TakenBody } from '#kernel/http/bodies/taken-body.js';
import { TEXTS } from '../access/git-texts.js';
import { GitRefusal } from '../git-answer.js';
import { PacketWalk } from './packet-walk.js';

/** Bounds of a body, in bytes as they come out of any compression. */
interface BodyLimits {
  readonly total: number;
  /** Of the packets before the pack; they are held in memory by git. */
  readonly packets: number;
  /** Milliseconds in which something more must come. */
  readonly idleMs: number;
}

/** Counts the bytes of packets before a pack. */
class PacketCount {
  private packets = 0;
  private readonly walk = new PacketWalk();
  private rest: Buffer = Buffer.alloc(0);
  private isPack = false;

  constructor(private readonly most: number) {}

  /** @throws 413 */
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

/** The body of a request, inflated where it is compressed, within limits. @throws 413, 415 */
export function requestBody(
  request: Request,
  contentType: string,
  { total, packets, idleMs }: BodyLimits,
): TakenBody {
  if (request.headers['content-type'] !== contentType) throw new GitRefusal(415, TEXTS.mediaType);
  const { take } = new PacketCount(packets);
  return takeBody(request, { maxBytes: total, inflate: 'gzip', idleMs, watch: take });
}
