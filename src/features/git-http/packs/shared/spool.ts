import { open, unlink, type FileHandle } from 'node:fs/promises';
import { temporaryFile } from '#kernel/temporary/temporary-files.js';

/** Limit of bytes of all spools on disk. */
export class SpoolBudget {
  private used = 0;

  /** `makeRoom` removes a spool without readers; returns whether there was one. */
  constructor(
    readonly maxBytes: number,
    private readonly makeRoom: () => boolean,
  ) {}

  /** Bytes in use. */
  get bytes(): number {
    return this.used;
  }

  /** Reserves bytes. @throws Error if there is no room, and nothing can be removed */
  take(bytes: number): void {
    this.used += bytes;
    while (this.used > this.maxBytes && this.makeRoom());
    if (this.used <= this.maxBytes) return;
    this.used -= bytes;
    throw new Error(`More than ${this.maxBytes} bytes of packs are shared at a time`);
  }

  giveBack(bytes: number): void {
    this.used -= bytes;
  }
}

/**
 * A file for appending and random reads. It is unlinked at once, so that nothing remains if the process dies.
 */
export class Spool {
  private written = 0;
  private reads = 0;
  private isClosed = false;

  private constructor(
    private readonly handle: FileHandle,
    private readonly budget: SpoolBudget,
  ) {}

  static async open(budget: SpoolBudget): Promise<Spool> {
    const path = await temporaryFile('pack');
    const handle = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new Spool(handle, budget);
  }

  /**
   * Appends chunks. @throws Error on a full disk, or beyond the budget; the file then keeps its previous
   * content
   */
  async append(pieces: readonly Buffer[]): Promise<void> {
    const whole = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    this.budget.take(whole.length);
    const from = this.written;
    this.written += whole.length;
    for (let at = 0; at < whole.length;)
      at += (await this.handle.write(whole, at, whole.length - at, from + at)).bytesWritten;
  }

  async read(at: number, length: number): Promise<Buffer> {
    this.reads += 1;
    try {
      const { buffer, bytesRead } = await this.handle.read(Buffer.allocUnsafe(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    } finally {
      this.reads -= 1;
      this.closeIfUnused();
    }
  }

  /** Frees the disk after running reads. */
  remove(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.budget.giveBack(this.written);
    this.closeIfUnused();
  }

  private closeIfUnused(): void {
    if (this.isClosed && this.reads === 0) void this.handle.close().catch(() => undefined);
  }
}
