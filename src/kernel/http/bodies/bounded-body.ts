import type { IncomingMessage } from 'node:http';
import { badRequest, HttpError } from '../errors.js';

/** 413 of a body that is larger than its route takes. */
export const tooLarge = (): HttpError => new HttpError(413, { message: '413 Request Entity Too Large' });

/**
 * Reads a body as it was sent, for routes with `@RawBody`; `watch` is told of each piece, and may refuse it by throwing.
 * @throws 413 for more than `maxBytes`, at once where the request says so itself; 400 when its sender goes away
 */
export async function readBoundedBody(
  request: IncomingMessage,
  maxBytes: number,
  watch?: (bytes: number) => void,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = (error: Error): void => {
      request.off('data', take);
      chunks.length = 0;
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) {
        stop(tooLarge());
        return;
      }
      try {
        watch?.(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        stop(error as Error);
      }
    };
    const gone = (): void => stop(badRequest('400 Bad request'));
    // Its sender may have left before anybody came to read: nothing is told of that again.
    if (request.destroyed) {
      gone();
      return;
    }
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('aborted', gone);
    request.once('error', gone);
    request.on('data', take);
  });
}
