/** Length of the header of packets. */
const HEADER = 4;

/** First byte and length of a packet. */
export interface PacketStart {
  readonly at: number;
  /** Its first byte; null for separators. */
  readonly first: number | null;
  /** Length with the header, as stated in it. */
  readonly length: number;
}

/**
 * Walks through packets of git's protocol as bytes arrive. A packet is visited only if its header is
 * complete: otherwise the bytes must be passed again with those that follow.
 */
export class PacketWalk {
  /** Remaining bytes of the current packet. */
  private left = 0;

  /**
   * Calls `visit` for each packet that starts in `bytes`, until it returns false. @returns the number of
   * bytes walked; null at anything that is not a packet (the pack itself)
   */
  run(bytes: Buffer, visit: (packet: PacketStart) => boolean): number | null {
    let at = Math.min(this.left, bytes.length);
    this.left -= at;
    while (bytes.length - at >= HEADER) {
      const text = bytes.toString('latin1', at, at + HEADER);
      if (!/^[0-9a-f]{4}$/i.test(text)) return null;
      const length = Number.parseInt(text, 16);
      const isEmpty = length <= HEADER;
      if (!isEmpty && bytes.length - at === HEADER) break;
      const first = isEmpty ? null : (bytes[at + HEADER] as number);
      if (!visit({ at, first, length })) return null;
      const whole = Math.max(length, HEADER);
      const step = Math.min(whole, bytes.length - at);
      this.left = whole - step;
      at += step;
    }
    return at;
  }
}

/** Returns the contents of packets, empty for separators; omits an incomplete one. */
export function packetsOf(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 4), 16);
    const end = at + Math.max(4, length);
    if (!(end <= bytes.length)) break;
    packets.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return packets;
}
