import type { ServerResponse } from 'node:http';
import { requestContext, ownerGone, type RequestContext } from '#kernel/log/request-context.js';
import { FairPool, type Claim } from '#kernel/processes/fair-pool.js';
import { clientKey } from '#kernel/rate-limit/client-key.js';

/** Bytes that one read for an answer may bring without a place: many such answers are made side by side. */
export const LARGE_BYTES = 512 * 1024;

/** Requests that may make a large answer at a time: rows, text and bytes of one take several times its size. */
const places = new FairPool({ width: 2, share: 1, waiting: 200, waitMs: 20_000 });
/** A place is no longer held for an answer that goes on for so long: it is a stream. */
const HOLD_MS = 30_000;

const held = new WeakMap<ServerResponse, Promise<void>>();

/** Whether the size of an answer matters: jobs and commands read what they need. */
export const isForAnswer = (): boolean => requestContext.getStore()?.response !== undefined;

/** Whether the running request has to ask for a place before it reads more than `LARGE_BYTES`. */
export function needsPlace(): boolean {
  const response = requestContext.getStore()?.response;
  return response !== undefined && !held.has(response);
}

/** The user or address that the running request is answered to; null for none, and while it is not known yet whether a user asks. */
export function answerHolder(): string | null {
  const context = requestContext.getStore();
  // The guard notes the route together with the caller.
  return context?.response && context.route !== undefined ? (claimOf(context).holders[0] ?? null) : null;
}

/**
 * Waits for the place of a large answer, before it is read; the request keeps it until its answer has been handed over. One user or address
 * has one place, all who are anonymous have one together. @throws PoolBusy when too many wait, or it takes too long
 */
export function beginLargeAnswer(): Promise<void> {
  const context = requestContext.getStore();
  if (!context?.response) return Promise.resolve();
  const { response } = context;
  const known = held.get(response);
  if (known) return known;
  const taken = places.take(claimOf(context), ownerGone()).then((release) => hold(response, release));
  held.set(response, taken);
  // Whoever fails to get one may try again.
  taken.catch(() => held.delete(response));
  return taken;
}

/** The same for an answer that a write has read, if so many characters make it a large one: call it once nothing is locked any more. */
export async function placeWritten(characters: number): Promise<void> {
  if (characters > LARGE_BYTES / 2) await beginLargeAnswer();
}

function hold(response: ServerResponse, release: () => void): void {
  const timer = setTimeout(end, HOLD_MS).unref();
  function end(): void {
    clearTimeout(timer);
    response.off('prefinish', end).off('close', end);
    held.delete(response);
    release();
  }
  response.once('prefinish', end).once('close', end);
  if (response.destroyed || response.writableEnded) end();
}

function claimOf(context: RequestContext): Claim {
  return context.userId === undefined
    ? { holders: [clientKey()], group: 'anonymous' }
    : { holders: [`user:${context.userId}`] };
}
