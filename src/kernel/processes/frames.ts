/** What is said between a process and its starter (see `CommandStarter`). */
export const Kind = {
  /** To the starter: a `CommandHead` with its length before it, then what the command reads. */
  Run: 0,
  /** To the starter: ends the command. */
  Kill: 1,
  /** From the starter: commands are taken from now on. */
  Ready: 2,
  /** From the starter: a piece of what the command has written. */
  Output: 3,
  Errors: 4,
  /** From the starter: the command has ended, with this code as text, empty for none. */
  Closed: 5,
  /** From the starter: the command could not be started, and why. */
  Failed: 6,
  /** To the starter: more of what an open command reads. */
  Input: 7,
} as const;

/** Bytes before what a frame holds: the length of that (32 bits), the number of the command (32 bits) and the kind. */
const HEAD = 9;

/** One frame. */
export function frame(kind: number, id: number, content: Buffer | string = ''): Buffer {
  const bytes = Buffer.byteLength(content);
  const whole = Buffer.allocUnsafe(HEAD + bytes);
  whole.writeUInt32LE(bytes, 0);
  whole.writeUInt32LE(id, 4);
  whole.writeUInt8(kind, 8);
  if (typeof content === 'string') whole.write(content, HEAD);
  else content.copy(whole, HEAD);
  return whole;
}

/** Whoever takes frames. */
export type TakeFrame = (kind: number, id: number, content: Buffer) => void;

/** Puts frames together from a stream that is cut anywhere. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private size = 0;
  private needed = HEAD;

  constructor(private readonly take: TakeFrame) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    // What has come is joined when it is enough, not with each piece of a large frame.
    while (this.size >= this.needed) {
      const all =
        this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks, this.size);
      const whole = HEAD + all.readUInt32LE(0);
      this.chunks = [all];
      this.needed = whole;
      if (this.size < whole) return;
      this.chunks = this.size === whole ? [] : [all.subarray(whole)];
      this.size -= whole;
      this.needed = HEAD;
      this.take(all.readUInt8(8), all.readUInt32LE(4), all.subarray(HEAD, whole));
    }
  }
}
