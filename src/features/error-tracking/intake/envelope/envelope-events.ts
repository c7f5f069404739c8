import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpError } from '#kernel/http/errors.js';
import type { Envelope } from './envelope.js';
import { eventIdOf, readEvent, type SentEvent } from './sent-event.js';

/** Bytes of events that are read before others have a turn. */
const BYTES_A_TURN = 256 * 1024;

/** What an envelope comes to, or an event alone. */
export interface EnvelopeEvents {
  readonly events: readonly SentEvent[];
  /** What is wrong with the first event that cannot be taken. */
  readonly problem: HttpError | null;
  /** The id that the envelope has, whatever it carries; null for an event alone. */
  readonly id: string | null;
}

/** Reads the events of an envelope: each for itself, so that none is lost for the sake of another. @throws 413 for too many items */
export async function eventsOf({ header, items }: Envelope, receivedAt: Date): Promise<EnvelopeEvents> {
  const events: SentEvent[] = [];
  let problem: HttpError | null = null;
  const id = eventIdOf(header['event_id']);
  // It is that of one event: a second one without an id of its own must not be taken for the first.
  let spare = id;
  let read = 0;
  for (const { type, payload } of items) {
    // Sessions, transactions, client reports and whatever comes to be sent in future.
    if (type !== 'event') continue;
    if (read > BYTES_A_TURN) {
      await nextTurn();
      read = 0;
    }
    read += payload.length;
    try {
      const event = readEvent(payload, receivedAt);
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

/** Reads an event that has come without an envelope. */
export function oneEvent(json: Buffer, receivedAt: Date): EnvelopeEvents {
  try {
    const event = readEvent(json, receivedAt);
    return { events: event ? [event] : [], problem: null, id: null };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { events: [], problem: error, id: null };
  }
}
