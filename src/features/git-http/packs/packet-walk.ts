/** Bytes of the length before each packet. */
const HEADER = 4;

/** What a packet begins with, and where it begins in the bytes at hand. */
export interface PacketStart {
  readonly at: number;
  /** Its first byte; null for packets that only separate others. */
  readonly first: number | null;
  /** Length with the header, as it says itself. */
  readonly length: number;
}

/**
 * Walks through packets of git's protocol as their bytes come in. Packets are told whole, or not at all: what is not enough to know how one
 * begins is to be brought again with the bytes behind it.
 */
export class PacketWalk {
  /** Bytes of the present packet that are still to come. */
  private left = 0;

  /**
   * Calls `visit` for each packet that begins in `bytes`, until it answers false. @returns how many bytes were walked through; null
   * from the first thing on that is no packet (the pack itself)
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

/** Contents of packets, empty for those that end something; what is cut off is left out. */
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
