import { close, open, read } from 'node:fs';
import { promisify } from 'node:util';

/** Bytes that are read at a time: each piece has its price on the way to a client (with 64 KB a download took 2.6 times as long). */
const PIECE_BYTES = 512 * 1024;

/** Pieces that are kept for the next one who reads: fresh memory of this size is paid for page by page. */
const MAX_KEPT = 16;

const kept: Buffer[] = [];
const openFile = promisify(open);
const readFile = promisify(read);

/** A part of a file of this machine that is being read, piece after piece. Whoever opens it closes it. */
export class LocalFile {
  private isReading = false;
  private isClosed = false;

  private constructor(
    private readonly fd: number | null,
    private position: number,
    private left: number,
    private ahead: Buffer | null,
  ) {}

  /** Opens `length` bytes from `start` of a file, and reads the first of them. @throws what the system says */
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

  /** A file whose content is known. */
  static of(content: Buffer): LocalFile {
    return new LocalFile(null, content.length, 0, content);
  }

  /** What has been read ahead of whoever asks for it. */
  get known(): Buffer | null {
    return this.ahead;
  }

  /** Bytes that have not been read yet; none beyond the end of the file. */
  get rest(): number {
    return this.left + (this.ahead?.length ?? 0);
  }

  /** The next bytes, which are the reader's until they are given back (`giveBack`); empty at the end, or where the file ends before it. */
  async next(): Promise<Buffer> {
    const piece = this.ahead ?? (await this.readPiece());
    this.ahead = null;
    return piece;
  }

  /** Ends reading; at once, or with what is being read. */
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
      // Not while the system still reads: the number could be another file's by then.
      this.closeIfOver();
    }
  }

  private closeIfOver(): void {
    if (this.isClosed && !this.isReading && this.fd !== null) close(this.fd, () => undefined);
  }
}

const EMPTY = Buffer.alloc(0);

/** Takes back bytes that nobody looks at any more. */
export function giveBack(piece: Buffer): void {
  if (piece.buffer.byteLength === PIECE_BYTES && kept.length < MAX_KEPT) kept.push(Buffer.from(piece.buffer));
}
