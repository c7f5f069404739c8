import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpError } from '#kernel/http/errors.js';
import type { Envelope } from './envelope.js';
import { eventIdOf, readEvent, type SentEvent } from './sent-event.js';

/** Result of parsing an envelope, or a single event. */
export interface EnvelopeEvents {
  readonly events: readonly SentEvent[];
  /** Error of the first invalid event. */
  readonly problem: HttpError | null;
  /** Id of the envelope; null for a single event. */
  readonly id: string | null;
}

/**
 * Parses the events of an envelope independently of each other, so that an invalid one does not affect
 * others. @throws 413 for too many items
 */
export async function eventsOf({ header, items }: Envelope, receivedAt: Date): Promise<EnvelopeEvents> {
  const events: SentEvent[] = [];
  let problem: HttpError | null = null;
  const id = eventIdOf(header['event_id']);
  // It belongs to one event: a second event without its own id must not be taken for the first.
  let spare = id;
  for (const item of items) {
    if (item === null) await nextTurn();
    // Sessions, transactions, client reports and future items.
    if (item?.type !== 'event') continue;
    try {
      const event = readEvent(item.payload, receivedAt);
      if (event?.id === null) {
        events.push({ ...event, id: spare });
        spare = null;
      } else if (event) events.push(event);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      problem ??= error;
    }
  }
  return { events, problem, id };
}

/** Parses an event without an envelope. */
export function oneEvent(json: Buffer, receivedAt: Date): EnvelopeEvents {
  try {
    const event = readEvent(json, receivedAt);
    return { events: event ? [event] : [], problem: null, id: null };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { events: [], problem: error, id: null };
  }
}
