import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readmission } from './readmission.js';

/** Options of watching. */
interface Watching {
  /** The caller's authorization to continue. */
  readonly readmission: Readmission;
  /** Interval between two reads. */
  readonly paceMs: number;
  readonly maxMs: number;
  /** Aborted once no client is watching. */
  readonly signal: AbortSignal;
}

/**
 * Yields the first value, and what `look` finds from then on, while the caller watches and is authorized.
 * @throws errors of `look` or the readmission
 */
export async function* looks<T>(
  first: T,
  look: () => Promise<T>,
  { readmission, paceMs, maxMs, signal }: Watching,
): AsyncGenerator<T, void, void> {
  const end = performance.now() + maxMs;
  for (let found = first; ; found = await look()) {
    yield found;
    if (performance.now() >= end) return;
    const goesOn = await sleep(paceMs, true, { signal }).catch(() => false);
    if (!goesOn) return;
    await readmission.keep();
  }
}

/**
 * Writes a piece of an event stream, waiting for a slow client. @throws AbortError once no client
 * is watching
 */
export async function writeEvent(stream: Writable, text: string, signal: AbortSignal): Promise<void> {
  if (!stream.writableEnded && !stream.write(text)) await once(stream, 'drain', { signal });
}
