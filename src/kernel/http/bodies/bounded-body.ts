import type { IncomingMessage } from 'node:http';
import { Pieces } from '#kernel/streams/pieces.js';
import { badRequest, HttpError } from '../errors.js';

/** 413 for a body that exceeds the limit of its route. */
export const tooLarge = (): HttpError => new HttpError(413, { message: '413 Request Entity Too Large' });

/**
 * Reads a body as sent, for routes with `@RawBody`. Calls `watch` for each chunk, which may refuse the body by throwing.
 * @throws 413 for more than `maxBytes`, at once if Content-Length exceeds it; 400 if the client disconnects
 */
export async function readBoundedBody(
  request: IncomingMessage,
  maxBytes: number,
  watch?: (bytes: number) => void,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const pieces = new Pieces();
  return new Promise((resolve, reject) => {
    const stop = (error: Error): void => {
      request.off('data', take);
      pieces.take();
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      if (pieces.size + chunk.length > maxBytes) {
        stop(tooLarge());
        return;
      }
      try {
        watch?.(chunk.length);
        pieces.add(chunk);
      } catch (error) {
        stop(error as Error);
      }
    };
    const gone = (): void => stop(badRequest('400 Bad request'));
    // The client may have disconnected before the read began; the events for that do not repeat.
    if (request.destroyed) {
      gone();
      return;
    }
    request.once('end', () => resolve(pieces.take()));
    request.once('aborted', gone);
    request.once('error', gone);
    request.on('data', take);
  });
}
