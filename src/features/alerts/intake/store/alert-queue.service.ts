import { Injectable } from '@nestjs/common';
import { isTransient } from '#kernel/database/transient.js';
import type { TakenAlertRecord } from '../taken-alert.record.js';
import type { SourcedAlert } from './alert-plan.js';
import { AlertStoreService } from './alert-store.service.js';

type Taken = readonly (TakenAlertRecord | null)[];

interface Waiting {
  readonly items: readonly SourcedAlert[];
  readonly resolve: (taken: Taken) => void;
  readonly reject: (error: unknown) => void;
}

/** Limit of alerts per transaction, unless a single body has more. */
const MOST_ITEMS = 200;

/**
 * Other projects no longer wait for a transaction that takes longer (many alerts, locks of another process).
 */
const SLOW_MS = 25;

/**
 * Time for further requests to gather after a transaction with several requests: most of the cost of a
 * transaction does not depend on how many share it.
 */
const REST_MS = 3;

/** Limit of concurrent transactions. */
const MOST_RUNNING = 4;

/** State of a transaction on which the next one depends. */
interface Running {
  /** Others need not wait for it: it is slow, or only its commit remains. */
  isPassed: boolean;
  isWritten: boolean;
}

/**
 * Groups alerts that arrive during running transactions into the next one, over all projects: no delay under
 * low load, and a shared transaction under high load.
 */
@Injectable()
export class AlertQueueService {
  private readonly waiting = new Map<number, Waiting[]>();
  private readonly busy = new Set<number>();
  private readonly running = new Set<Running>();
  private isResting = false;

  constructor(private readonly store: AlertStoreService) {}

  /** Stores alerts of a project together; returns the results of `AlertStoreService.store`. */
  add(projectId: number, items: readonly SourcedAlert[]): Promise<Taken> {
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(projectId);
      const one = { items, resolve, reject };
      if (line) line.push(one);
      else this.waiting.set(projectId, [one]);
      this.begin();
    });
  }

  private begin(): void {
    if (this.isResting || !this.hasRoom()) return;
    const { batch, projects } = this.nextBatch();
    if (batch.length === 0) return;
    const one: Running = { isPassed: false, isWritten: false };
    this.running.add(one);
    const slow = setTimeout(() => {
      one.isPassed = true;
      this.begin();
    }, SLOW_MS).unref();
    const pass = (): void => {
      if (one.isWritten) return;
      one.isWritten = one.isPassed = true;
      clearTimeout(slow);
      for (const id of projects) this.busy.delete(id);
      if (batch.length > 1) this.rest();
      else this.begin();
    };
    void this.run(batch, pass).finally(() => {
      this.running.delete(one);
      pass();
      this.begin();
    });
  }

  /**
   * The disk writes one commit while the next transaction is prepared; a third would only occupy a
   * connection.
   */
  private hasRoom(): boolean {
    const running = [...this.running];
    const committing = running.filter(({ isWritten }) => isWritten).length;
    return running.length < MOST_RUNNING && committing < 2 && running.every(({ isPassed }) => isPassed);
  }

  private rest(): void {
    if (this.isResting) return;
    this.isResting = true;
    setTimeout(() => {
      this.isResting = false;
      this.begin();
    }, REST_MS);
  }

  /** Returns the requests that have waited longest, of projects without a running transaction. */
  private nextBatch(): { batch: Waiting[]; projects: number[] } {
    const batch: Waiting[] = [];
    const projects: number[] = [];
    let size = 0;
    for (const [id, line] of this.waiting) {
      if (this.busy.has(id)) continue;
      let count = 0;
      for (const { items } of line) {
        if (size > 0 && size + items.length > MOST_ITEMS) break;
        size += items.length;
        count += 1;
      }
      if (count === 0) break;
      batch.push(...line.splice(0, count));
      projects.push(id);
      this.busy.add(id);
      // The rest of the project waits behind other projects.
      this.waiting.delete(id);
      if (line.length > 0) this.waiting.set(id, line);
    }
    return { batch, projects };
  }

  /** Requests that fail together are retried one by one, so that none fails because of another. */
  private async run(batch: readonly Waiting[], written: () => void): Promise<void> {
    try {
      const taken = await this.store.store(
        batch.flatMap(({ items }) => items),
        written,
      );
      let at = 0;
      for (const { items, resolve } of batch) resolve(taken.slice(at, (at += items.length)));
    } catch (error) {
      if (batch.length === 1 || isTransient(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.run([one], () => undefined);
    }
  }
}
