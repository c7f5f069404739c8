import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readmission } from './readmission.js';

/** How somebody watches. */
interface Watching {
  /** The right to go on. */
  readonly readmission: Readmission;
  /** Between two looks. */
  readonly paceMs: number;
  readonly maxMs: number;
  /** Aborted once nobody watches any more. */
  readonly signal: AbortSignal;
}

/** What a watcher sees: the first look, and what `look` finds from then on, for as long as they watch and may. @throws what `look` or the readmission throws */
export async function* looks<T>(
  first: T,
  look: () => Promise<T>,
  { readmission, paceMs, maxMs, signal }: Watching,
): AsyncGenerator<T, void, void> {
  const end = Date.now() + maxMs;
  for (let found = first; ; found = await look()) {
    yield found;
    if (Date.now() >= end) return;
    const goesOn = await sleep(paceMs, true, { signal }).catch(() => false);
    if (!goesOn) return;
    await readmission.keep();
  }
}

/** Writes a piece of a stream of events; a client that reads slowly is waited for. @throws AbortError once nobody watches any more */
export async function writeEvent(stream: Writable, text: string, signal: AbortSignal): Promise<void> {
  if (!stream.writableEnded && !stream.write(text)) await once(stream, 'drain', { signal });
}
