import type { ServerResponse } from 'node:http';
import { giveBack, type LocalFile } from '#kernel/disk/local-file.js';

/** A file of this machine as the body of an answer: from the disk to the connection, without a copy in between. */
export class LocalFileAnswer {
  private isOver = false;

  /** The file is closed with the answer, which may have been over before there was anything to read. */
  constructor(
    response: ServerResponse,
    private readonly file: LocalFile,
  ) {
    // Others may cut the connection between two pieces; what is written then is an error that must have a listener.
    response.on('error', () => this.end());
    if (response.destroyed) this.end();
    else response.once('close', () => this.end());
  }

  /** Writes all of it, and ends the answer. Half of a file must not look like all of it: what cannot be read cuts the connection. */
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
        // It may break while the next piece is read, before anyone waits for it.
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

/** Until the connection has taken a piece. @throws when it breaks */
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
