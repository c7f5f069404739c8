import type { Response } from 'express';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/**
 * Waits for the beginning of a body: whoever says nothing gets no process. False when the client went away, or said nothing for too
 * long. @throws what is wrong with the body
 */
export async function firstBytes(input: Readable, response: Response, idleMs: number): Promise<boolean> {
  const gone = new AbortController();
  const onGone = (): void => gone.abort();
  const timer = setTimeout(onGone, idleMs);
  response.once('close', onGone);
  try {
    await once(input, 'readable', { signal: gone.signal });
    return true;
  } catch (error) {
    if (!gone.signal.aborted) throw error;
    response.destroy();
    return false;
  } finally {
    clearTimeout(timer);
    response.off('close', onGone);
  }
}
