import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

/** A class of events; one file per event, in the module that publishes it. */
export type EventClass<E extends object> = abstract new (...args: never[]) => E;

/** Reacts to an event inside the transaction that caused it; an error rolls back the whole. */
export type EventListener<E extends object> = (event: E, tx: Tx) => Promise<void> | void;

/**
 * Passes events upwards: a module publishes what it did, and modules above it listen in the same transaction.
 * Work that can wait until after the commit is enqueued by the listener as a job.
 */
@Injectable()
export class DomainEvents {
  private readonly listeners = new Map<EventClass<object>, EventListener<object>[]>();

  /** Subscribes; call it in `onModuleInit`. Listeners run in the order of subscription. */
  on<E extends object>(type: EventClass<E>, listener: EventListener<E>): void {
    const known = this.listeners.get(type) ?? [];
    this.listeners.set(type, [...known, listener as EventListener<object>]);
  }

  /** Calls all listeners, one after another. */
  async publish(tx: Tx, event: object): Promise<void> {
    for (const listener of this.listeners.get(event.constructor as EventClass<object>) ?? [])
      await listener(event, tx);
  }
}
