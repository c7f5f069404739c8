import type { ServerResponse } from 'node:http';
import { requestContext, ownerGone, type RequestContext } from '#kernel/log/request-context.js';
import { FairPool, type Claim } from '#kernel/processes/fair-pool.js';
import { clientKey } from '#kernel/rate-limit/client-key.js';

/** Limit of the bytes that one read may return without a slot; many smaller answers are built in parallel. */
export const LARGE_BYTES = 512 * 1024;

/** Slots for large answers: the rows, text and bytes of one answer take several times its size in memory. */
const slots = new FairPool({ width: 2, share: 1, waiting: 200, waitMs: 20_000 });
/** Longest time that a request keeps its slot; a longer answer is a stream. */
const HOLD_MS = 30_000;

const held = new WeakMap<ServerResponse, Promise<void>>();

/** Whether the running code builds an HTTP answer; jobs and commands may read without a limit. */
export const isForAnswer = (): boolean => requestContext.getStore()?.response !== undefined;

/** Whether the running request needs a slot before it reads more than `LARGE_BYTES`. */
export function needsSlot(): boolean {
  const response = requestContext.getStore()?.response;
  return response !== undefined && !held.has(response);
}

/** Returns the user or address of the running request; null outside of requests and before authentication. */
export function answerHolder(): string | null {
  const context = requestContext.getStore();
  // The guard sets the route together with the caller.
  return context?.response && context.route !== undefined ? (claimOf(context).holders[0] ?? null) : null;
}

/**
 * Waits for the slot of a large answer; call it before reading the rows. The request keeps the slot until its answer has been handed over.
 * Each user has at most one slot, and all anonymous clients share one. @throws PoolBusy if too many requests wait, or one waits too long
 */
export function beginLargeAnswer(): Promise<void> {
  const context = requestContext.getStore();
  if (!context?.response) return Promise.resolve();
  const { response } = context;
  const known = held.get(response);
  if (known) return known;
  const taken = slots.take(claimOf(context), ownerGone()).then((release) => hold(response, release));
  held.set(response, taken);
  // After a failure the request may try again.
  taken.catch(() => held.delete(response));
  return taken;
}

/** Waits for a slot if a write has read a large answer of `characters`; call it after the locks are released. */
export async function takeSlotForWritten(characters: number): Promise<void> {
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
