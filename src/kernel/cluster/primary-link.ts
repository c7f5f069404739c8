import cluster from 'node:cluster';
import { HttpError } from '#kernel/http/errors.js';
import { metrics } from '#kernel/log/metrics.js';
import { PoolBusy, type NeededSlots } from '#kernel/processes/fair-pool.js';
import type { Figures, FromPrimary, QuestionName, Questions, Refusal, ToPrimary } from './messages.js';

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Connection of a process to the primary, which holds what all processes of a machine share. */
export class PrimaryLink {
  private readonly waiting = new Map<number, Waiting>();
  private readonly needed = new Map<string, NeededSlots>();
  private lastId = 0;
  private isLost = false;
  private isReplaced = false;
  private end: () => void = () => undefined;

  constructor() {
    process.on('message', (message: FromPrimary) => this.take(message));
    // Runs before Node's own listener, which would exit this process at once.
    process.prependOnceListener('disconnect', () => {
      if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
      this.isLost = true;
      for (const { reject } of this.waiting.values()) reject(gone());
      this.waiting.clear();
      this.end();
    });
  }

  /** Whether the primary has exited. */
  get isOrphan(): boolean {
    return this.isLost;
  }

  /** Whether another process has replaced this one. */
  get isRetired(): boolean {
    return this.isReplaced;
  }

  /** Sets the handler that shuts this process down once it is retired or an orphan. */
  onEnd(end: () => void): void {
    this.end = end;
    if (this.isLost || this.isReplaced) end();
  }

  /** Reports that this process is working. */
  announce(): void {
    this.send({ does: 'ready' });
  }

  /**
   * Sends a request to the primary. @throws PoolBusy if a pool is full; 503 if the primary has exited; the
   * reason of `signal` if aborted before the response, which `late` receives if it still arrives
   */
  ask<N extends QuestionName>(
    name: N,
    asked: Questions[N]['asked'],
    signal?: AbortSignal,
    late: (answer: Questions[N]['answer']) => void = () => undefined,
  ): Promise<Questions[N]['answer']> {
    signal?.throwIfAborted();
    if (this.isLost) return Promise.reject(gone());
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.waiting.set(id, { resolve: late as (answer: unknown) => void, reject: () => undefined });
        this.send({ does: 'cancel', id });
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const done = (): void => signal?.removeEventListener('abort', abort);
      this.waiting.set(id, {
        resolve: (answer) => {
          done();
          resolve(answer as Questions[N]['answer']);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      this.send({ does: 'ask', id, name, asked });
    });
  }

  /** Releases a slot of a pool. */
  release(slot: number): void {
    this.send({ does: 'release', slot });
  }

  /** Returns which slots of the pool the waiting claims of all processes need. */
  neededOf(pool: string): NeededSlots {
    return this.needed.get(pool) ?? [];
  }

  private send(message: ToPrimary): void {
    // Errors can be ignored: a lost primary is reported by `disconnect`.
    if (!this.isLost) process.send?.(message, undefined, undefined, () => undefined);
  }

  private take(message: FromPrimary): void {
    switch (message.does) {
      case 'answer':
        this.settle(message.id)?.resolve(message.answer);
        break;
      case 'refuse':
        this.settle(message.id)?.reject(errorOf(message.refusal));
        break;
      case 'retire':
        this.isReplaced = true;
        this.end();
        break;
      case 'call':
        this.send({ does: 'here' });
        break;
      case 'collect':
        void this.show(message.id);
        break;
      case 'tell':
        this.needed.set(message.pool, message.needed);
        break;
    }
  }

  private settle(id: number): Waiting | undefined {
    const found = this.waiting.get(id);
    this.waiting.delete(id);
    return found;
  }

  private async show(id: number): Promise<void> {
    const figures = (await metrics.getMetricsAsJSON()) as Figures;
    this.send({ does: 'show', id, figures });
  }
}

/** This process ends too, and another one will respond. */
const gone = (): HttpError =>
  new HttpError(503, { message: '503 Service Unavailable' }, { 'Retry-After': '5' });

const errorOf = ({ message, busy }: Refusal): Error =>
  busy ? new PoolBusy(busy.reason, busy.retryAfterSeconds) : new Error(message);

/** Connection to the primary; undefined in a process that serves alone. */
export const primaryLink = cluster.isWorker ? new PrimaryLink() : undefined;
