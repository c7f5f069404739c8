import { close, open, read } from 'node:fs';
import { promisify } from 'node:util';

/**
 * Bytes read at a time: each piece has a cost on its way to a client (with 64 KB a download took 2.6 times as
 * long).
 */
const PIECE_BYTES = 512 * 1024;

/** Limit of pieces kept for reuse: fresh memory of this size costs time page by page. */
const MAX_KEPT = 16;

const kept: Buffer[] = [];
const openFile = promisify(open);
const readFile = promisify(read);

/** Reads a part of a local file piece by piece. The caller that opens it closes it. */
export class LocalFile {
  private isReading = false;
  private isClosed = false;

  private constructor(
    private readonly fd: number | null,
    private position: number,
    private left: number,
    private ahead: Buffer | null,
  ) {}

  /** Opens `length` bytes from `start` of a file, and reads the first of them. @throws the system's error */
  static async open(path: string, start: number, length: number): Promise<LocalFile> {
    const file = new LocalFile(await openFile(path, 'r'), start, length, null);
    try {
      file.ahead = await file.readPiece();
    } catch (error) {
      file.close();
      throw error;
    }
    return file;
  }

  /** Creates a file with known content. */
  static of(content: Buffer): LocalFile {
    return new LocalFile(null, content.length, 0, content);
  }

  /** Content that has been read ahead, or null. */
  get known(): Buffer | null {
    return this.ahead;
  }

  /** Number of bytes not read yet; 0 beyond the end of the file. */
  get rest(): number {
    return this.left + (this.ahead?.length ?? 0);
  }

  /**
   * Returns the next bytes, which belong to the reader until given back (`giveBack`); empty at the end, also
   * if the file ends early.
   */
  async next(): Promise<Buffer> {
    const piece = this.ahead ?? (await this.readPiece());
    this.ahead = null;
    return piece;
  }

  /** Stops reading, at once or after the current read. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.closeIfOver();
  }

  private async readPiece(): Promise<Buffer> {
    const { fd } = this;
    if (fd === null || this.isClosed || this.left === 0) return EMPTY;
    const wanted = Math.min(this.left, PIECE_BYTES);
    const piece =
      wanted < PIECE_BYTES ? Buffer.allocUnsafe(wanted) : (kept.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES));
    this.isReading = true;
    try {
      const { bytesRead } = await readFile(fd, piece, 0, wanted, this.position);
      this.position += bytesRead;
      this.left = bytesRead === 0 ? 0 : this.left - bytesRead;
      return piece.subarray(0, bytesRead);
    } finally {
      this.isReading = false;
      // Not while a read is in progress: the descriptor could belong to another file by then.
      this.closeIfOver();
    }
  }

  private closeIfOver(): void {
    if (this.isClosed && !this.isReading && this.fd !== null) close(this.fd, () => undefined);
  }
}

const EMPTY = Buffer.alloc(0);

/** Takes back a buffer that is no longer used. */
export function giveBack(piece: Buffer): void {
  if (piece.buffer.byteLength === PIECE_BYTES && kept.length < MAX_KEPT) kept.push(Buffer.from(piece.buffer));
}
