import type { Response } from 'express';
import { SlowReader } from '#core/repositories/git/processes/slow-reader.js';
import { beginAnswer } from '../../git-answer.js';
import type { GitLimit } from '../git.limit.js';
import { Stillness } from '../stillness.js';
import type { PackReader, SharedPack } from './shared-pack.js';

/** Options for sending a pack. */
export interface SendOptions {
  readonly response: Response;
  readonly contentType: string;
  readonly limits: Pick<GitLimit, 'idleMs' | 'stalledMs'>;
  /** Transforms the output of git on its way to the client. */
  readonly rewrite?: ((chunk: Buffer) => Buffer) | undefined;
}

/**
 * Sends the available bytes to a reader with backpressure, and leaves the pack when it is complete or the
 * client has left; the response is not ended.
 * @throws Error if the file cannot be read
 */
export async function sendPack(
  pack: SharedPack,
  reader: PackReader,
  { response, contentType, limits, rewrite }: SendOptions,
): Promise<void> {
  const pace = new SlowReader();
  const stillness = new Stillness(response, limits.idleMs);
  let blockedSince: number | null = null;
  const watch = setInterval(() => {
    const now = performance.now();
    const isSlow = pace.isSlow(now) && pack.isWaitedFor;
    const isStalled = pack.isShared && blockedSince !== null && now - blockedSince >= limits.stalledMs;
    // A reader of the file blocks no other request, and may take its time.
    if ((isSlow || isStalled) && pack.isHeldBy(reader)) response.destroy();
    else if (stillness.isTooLong(now)) response.destroy();
  }, stillness.everyMs);
  const onGone = (): void => pack.leave(reader);
  response.once('close', onGone);
  try {
    if (response.destroyed) return;
    for (let piece = await pack.next(reader); piece; piece = await pack.next(reader)) {
      if (!response.headersSent) beginAnswer(response, contentType);
      pace.passed(piece.length);
      if (response.write(rewrite ? rewrite(piece) : piece)) continue;
      blockedSince = performance.now();
      pace.wait(blockedSince);
      await takenBy(response);
      blockedSince = null;
      pace.goOn(performance.now());
    }
  } finally {
    clearInterval(watch);
    response.off('close', onGone);
    pack.leave(reader);
  }
}

/** Waits until the client has read everything written, or has left. */
function takenBy(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}
