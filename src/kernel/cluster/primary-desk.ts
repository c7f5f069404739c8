import type { Worker } from 'node:cluster';
import {
  FairPool,
  PoolBusy,
  type Claim,
  type NeededSlots,
  type PoolLimits,
} from '#kernel/processes/fair-pool.js';
import { MemoryWindows } from '#kernel/rate-limit/memory-windows.js';
import { within } from '#kernel/time/within.js';
import { KnownFigures } from './known-figures.js';
import type { Figures, FromPrimary, QuestionName, Questions, Refusal, ToPrimary } from './messages.js';

/** Processes that do not report their metrics within this time are shown with their previous ones. */
const COLLECT_MS = 2_000;

interface HeldSlot {
  readonly worker: number;
  readonly release: () => void;
}

type Answers = {
  readonly [N in QuestionName]: (
    worker: Worker,
    asked: Questions[N]['asked'],
    signal: AbortSignal,
  ) => Promise<Questions[N]['answer']>;
};

/**
 * Serves the processes of this machine: rate limits, pool slots and metrics are counted here once for all of
 * them.
 */
export class PrimaryDesk {
  private readonly windows = new MemoryWindows();
  private readonly pools = new Map<string, FairPool>();
  private readonly slots = new Map<number, HeldSlot>();
  private readonly asking = new Map<string, AbortController>();
  private readonly collecting = new Map<number, (worker: number) => void>();
  private readonly known = new KnownFigures();
  private readonly needed = new Map<string, NeededSlots>();
  private lastId = 0;

  private readonly answers: Answers = {
    hit: (_worker, [key, periodMs, weight]) => this.windows.hit(key, periodMs, weight),
    look: (_worker, [key]) => this.windows.look(key),
    take: (worker, [pool, limits, claim], signal) => this.take(worker, pool, limits, claim, signal),
    figures: () => this.collect(),
  };

  /** `processes` are all processes that can be asked for metrics. */
  constructor(private readonly processes: () => readonly Worker[]) {}

  /** Serves a process until it exits; `onReady` is called once it works. */
  serve(worker: Worker, onReady: () => void): void {
    worker.on('message', (message: ToPrimary) => {
      if (message.does !== 'ready') {
        this.hear(worker, message);
        return;
      }
      for (const [pool, needed] of this.needed) tell(worker, { does: 'tell', pool, needed });
      onReady();
    });
    worker.once('exit', () => this.forget(worker));
  }

  private hear(worker: Worker, message: Exclude<ToPrimary, { does: 'ready' }>): void {
    switch (message.does) {
      case 'ask':
        void this.answer(worker, message.id, message.name, message.asked);
        break;
      case 'cancel':
        this.asking.get(keyOf(worker, message.id))?.abort(new Error('The result is no longer awaited'));
        break;
      case 'release':
        this.release(message.slot);
        break;
      case 'show':
        this.show(worker, message.id, message.figures);
        break;
      case 'here':
        // `HungWatch` hears it.
        break;
    }
  }

  private async answer(worker: Worker, id: number, name: QuestionName, asked: unknown[]): Promise<void> {
    const key = keyOf(worker, id);
    const controller = new AbortController();
    this.asking.set(key, controller);
    try {
      const answer = await this.answers[name](worker, asked as never, controller.signal);
      tell(worker, { does: 'answer', id, answer });
    } catch (error) {
      tell(worker, { does: 'refuse', id, refusal: refusalOf(error) });
    } finally {
      this.asking.delete(key);
    }
  }

  private async take(
    worker: Worker,
    name: string,
    limits: PoolLimits,
    claim: Claim,
    signal: AbortSignal,
  ): Promise<number> {
    const pool = this.pools.get(name) ?? new FairPool(limits);
    this.pools.set(name, pool);
    const taking = pool.take(claim, signal);
    this.tellNeeded(name, pool);
    const release = await taking.finally(() => this.tellNeeded(name, pool));
    const slot = (this.lastId += 1);
    const giveBack = (): void => {
      release();
      this.tellNeeded(name, pool);
    };
    if (worker.isDead()) giveBack();
    else this.slots.set(slot, { worker: worker.id, release: giveBack });
    return slot;
  }

  private release(slot: number): void {
    const held = this.slots.get(slot);
    this.slots.delete(slot);
    held?.release();
  }

  /** Releases what a process held, and cancels what it waited for. */
  private forget({ id }: Worker): void {
    for (const [key, controller] of this.asking)
      if (key.startsWith(`${id}:`)) controller.abort(new Error('The process has ended'));
    this.known.end(id);
    for (const done of this.collecting.values()) done(id);
    for (const [slot, { worker }] of this.slots) if (worker === id) this.release(slot);
  }

  /** Tells all processes which slots waiting claims need, since their holders may give them up. */
  private tellNeeded(pool: string, { needed }: FairPool): void {
    if (JSON.stringify(needed) === JSON.stringify(this.needed.get(pool) ?? [])) return;
    this.needed.set(pool, needed);
    for (const worker of this.processes()) tell(worker, { does: 'tell', pool, needed });
  }

  /** Also notes figures that come too late: they are newer than the known ones. */
  private show(worker: Worker, id: number, figures: Figures): void {
    if (worker.isDead()) return;
    this.known.note(worker.id, figures);
    this.collecting.get(id)?.(worker.id);
  }

  private async collect(): Promise<Figures[]> {
    const waitingFor = new Set(this.processes().map((worker) => worker.id));
    const id = (this.lastId += 1);
    const all = new Promise<void>((resolve) => {
      this.collecting.set(id, (worker) => {
        waitingFor.delete(worker);
        if (waitingFor.size === 0) resolve();
      });
    });
    for (const worker of this.processes()) tell(worker, { does: 'collect', id });
    await within(COLLECT_MS, all, () => undefined);
    this.collecting.delete(id);
    return this.known.all();
  }
}

const keyOf = (worker: Worker, id: number): string => `${worker.id}:${id}`;

function refusalOf(error: unknown): Refusal {
  const { message } = error as Error;
  return error instanceof PoolBusy
    ? { message, busy: { reason: error.reason, retryAfterSeconds: error.retryAfterSeconds } }
    : { message };
}

/** Sends a message to a process; does nothing if it has just exited. */
export function tell(worker: Worker, message: FromPrimary): void {
  if (worker.isConnected()) worker.send(message, undefined, () => undefined);
}
