import type { ServerResponse } from 'node:http';
import { giveBack, type LocalFile } from '#kernel/disk/local-file.js';

/** Answer body that writes a local file from the disk to the connection without copying it in between. */
export class LocalFileAnswer {
  private isOver = false;

  /** Closes the file when the answer closes, or at once if it is closed already. */
  constructor(
    response: ServerResponse,
    private readonly file: LocalFile,
  ) {
    // If the connection is cut between two chunks, the next write emits an error, which needs a listener.
    response.on('error', () => this.end());
    if (response.destroyed) this.end();
    else response.once('close', () => this.end());
  }

  /** Writes the whole file and ends the answer. Cuts the connection on a read error: a truncated file must not look complete. */
  async write(response: ServerResponse): Promise<void> {
    try {
      let sent: Promise<void> = Promise.resolve();
      while (this.file.rest > 0) {
        const piece = await this.file.next();
        await sent;
        if (this.isOver || response.destroyed) return;
        if (piece.length === 0) throw new Error('The file is shorter than it was');
        if (this.file.rest === 0) {
          response.end(piece);
          return;
        }
        sent = written(response, piece);
        // The write may fail while the next chunk is read, before the promise is awaited.
        sent.catch(() => response.destroy());
      }
      response.end();
    } catch {
      response.destroy();
    }
  }

  private end(): void {
    this.isOver = true;
    this.file.close();
  }
}

/** Resolves when the connection has accepted a chunk. @throws if the connection breaks */
function written(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('The connection is closed'));
    response.once('close', onClose);
    response.write(piece, (error) => {
      response.off('close', onClose);
      if (error) {
        reject(error);
        return;
      }
      giveBack(piece);
      resolve();
    });
  });
}
