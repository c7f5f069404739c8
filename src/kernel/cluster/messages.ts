import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Claim, NeededSlots, PoolLimits } from '#kernel/processes/fair-pool.js';
import type { Window } from '#kernel/rate-limit/memory-windows.js';

/** The metrics of one process, in the form in which prom-client aggregates them. */
export type Figures = MetricObjectWithValues<MetricValue<string>>[];

/** Requests from a process to the primary and their responses, by name. */
export interface Questions {
  hit: { readonly asked: [key: string, periodMs: number, weight: number]; readonly answer: Window };
  look: { readonly asked: [key: string]; readonly answer: Window | null };
  /**
   * Claims a slot of the named pool, which is created on the first claim; the response identifies the slot.
   */
  take: { readonly asked: [pool: string, limits: PoolLimits, claim: Claim]; readonly answer: number };
  figures: { readonly asked: []; readonly answer: Figures[] };
}

/** Name of a request. */
export type QuestionName = keyof Questions;

/** Why a request failed; `busy` as in `PoolBusy`. */
export interface Refusal {
  readonly message: string;
  readonly busy?: { readonly reason: 'full' | 'late'; readonly retryAfterSeconds: number };
}

/** Messages from a process to the primary. */
export type ToPrimary =
  | { readonly does: 'ask'; readonly id: number; readonly name: QuestionName; readonly asked: unknown[] }
  /** The response is no longer needed. */
  | { readonly does: 'cancel'; readonly id: number }
  | { readonly does: 'release'; readonly slot: number }
  /** The response to a call: its event loop runs. */
  | { readonly does: 'here' }
  /** The process serves requests or runs jobs. */
  | { readonly does: 'ready' }
  | { readonly does: 'show'; readonly id: number; readonly figures: Figures };

/** Messages from the primary to a process. */
export type FromPrimary =
  | { readonly does: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly does: 'refuse'; readonly id: number; readonly refusal: Refusal }
  /** Another process has replaced it: it finishes its current work and exits. */
  | { readonly does: 'retire' }
  | { readonly does: 'collect'; readonly id: number }
  /** It has to respond, or it counts as hung after some calls. */
  | { readonly does: 'call' }
  /** Which slots of the pool waiting claims need. */
  | { readonly does: 'tell'; readonly pool: string; readonly needed: NeededSlots };
