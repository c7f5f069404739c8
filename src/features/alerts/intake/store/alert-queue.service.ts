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

/** Alerts of one transaction, unless a single body has more. */
const MOST_ITEMS = 200;

/** A transaction that takes longer (many alerts, locks of another process) is no more waited for by other projects. */
const SLOW_MS = 25;

/** After a transaction of several requests the next ones are given this long to come together: most of what a transaction costs does not depend on how many share it. */
const REST_MS = 3;

/** Transactions at a time. */
const MOST_RUNNING = 4;

/** How far a transaction is, as far as the next one depends on it. */
interface Running {
  /** Others need not wait for it: it is slow, or only its commit is to come. */
  isPassed: boolean;
  isWritten: boolean;
}

/**
 * Groups alerts that come in while transactions are under way into the next one, of whatever projects: nothing waits when little comes in, and many
 * share the cost of a transaction when much does.
 */
@Injectable()
export class AlertQueueService {
  private readonly waiting = new Map<number, Waiting[]>();
  private readonly busy = new Set<number>();
  private readonly running = new Set<Running>();
  private isResting = false;

  constructor(private readonly store: AlertStoreService) {}

  /** Stores alerts of one project together; what has become of each, as `AlertStoreService.store` says. */
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

  /** The disk writes one commit while the next transaction gets ready; a third would only wait with its connection. */
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

  /** Those who have waited longest, of projects that are in no transaction now. */
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
      // Whoever is left waits behind the other projects.
      this.waiting.delete(id);
      if (line.length > 0) this.waiting.set(id, line);
    }
    return { batch, projects };
  }

  /** What fails together is tried one by one: nobody pays for what another has sent. */
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
