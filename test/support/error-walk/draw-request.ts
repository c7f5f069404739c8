import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Sending } from '../error-sender.js';
import { newEventId } from '../error-sender.js';
import type { Chance } from '../hostile/chance.js';
import { drawEvent, drawId, type DrawnEvent } from './drawn-event.js';

/** A request to the intake, and what must come of it. */
export interface DrawnRequest {
  readonly body: Buffer;
  readonly sending: Sending;
  /** The readable events in order; those without an id are given one by the service. */
  readonly events: readonly DrawnEvent[];
  /** Id of the envelope, which its first event without one takes. */
  readonly spare: string | null;
  /** Whether something in it claims to be an event and is none. */
  readonly isBroken: boolean;
}

const BROKEN = [
  '{',
  '[]',
  '"event"',
  '{"platform":"node"}',
  '{"exception":{"values":[]}}',
  '{"message":7,"level":"error"}',
];
const OTHER: readonly (readonly [string, string])[] = [
  ['session', '{"sid":"1","status":"ok"}'],
  ['event', '{"type":"transaction","spans":[]}'],
  ['client_report', '{"discarded_events":[]}'],
  ['attachment', '{"type":"event"}'],
  ['of-the-future', '????'],
];

const ROOTS = ['/api/v4/error_tracking/collector/api', '/errortracking/api/v1/projects/api'];

/** Draws a request with a valid key. `key` is that of the project, `dsn` its whole address. */
export function drawRequest(
  chance: Chance,
  key: string,
  dsn: string,
  known: readonly string[],
): DrawnRequest {
  const isStore = chance.oneIn(3);
  const spare = !isStore && chance.oneIn(2) ? newEventId() : null;
  const drawn = isStore ? drawStore(chance, known) : drawItems(chance, known);
  const isInside = !isStore && chance.oneIn(5);
  const header = {
    event_id: spare ?? undefined,
    sent_at: new Date().toISOString(),
    ...(isInside ? { dsn } : {}),
  };
  const text = isStore ? drawn.text : `${JSON.stringify(header)}\n${drawn.text}`;
  const [encoding, pack] = chance.of([
    [null, (bytes: Buffer) => bytes],
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const);
  const auth = `Sentry sentry_version=7, sentry_client=x/1, sentry_key=${key}`;
  const [sentKey, headers] = isInside
    ? [null, {}]
    : chance.of<readonly [string | null, Record<string, string>]>([
        [key, {}],
        [null, { 'X-Sentry-Auth': auth }],
        [null, { Authorization: auth.replaceAll(', ', ',') }],
      ]);
  return {
    body: pack(Buffer.from(text)),
    sending: {
      to: `${isStore ? 'store' : 'envelope'}${chance.of(['', '/'])}`,
      root: chance.of(ROOTS),
      key: sentKey,
      headers: { ...headers, ...(encoding ? { 'Content-Encoding': encoding } : {}) },
    },
    events: drawn.events,
    spare,
    isBroken: drawn.isBroken,
  };
}

interface Drawn {
  readonly text: string;
  readonly events: readonly DrawnEvent[];
  readonly isBroken: boolean;
}

const draw = (chance: Chance, known: readonly string[]): DrawnEvent =>
  drawEvent(chance, ...drawId(chance, known));

function drawStore(chance: Chance, known: readonly string[]): Drawn {
  if (chance.oneIn(10)) return { text: chance.of(BROKEN), events: [], isBroken: true };
  const event = draw(chance, known);
  return { text: JSON.stringify(event.sent, null, chance.of([0, 2])), events: [event], isBroken: false };
}

/** Items with events among them; each third has its length, and may then have line feeds. */
function drawItems(chance: Chance, known: readonly string[]): Drawn {
  const events: DrawnEvent[] = [];
  let isBroken = false;
  const items = Array.from({ length: 1 + chance.below(5) }, (): string => {
    if (chance.oneIn(3)) {
      const [type, payload] = chance.of(OTHER);
      return itemOf(chance, type, payload);
    }
    if (chance.oneIn(8)) {
      isBroken = true;
      return itemOf(chance, 'event', chance.of(BROKEN));
    }
    const event = draw(chance, [...known, ...events.flatMap(({ told: { id } }) => id ?? [])]);
    events.push(event);
    return chance.oneIn(3)
      ? itemOf(chance, 'event', JSON.stringify(event.sent, null, 1), true)
      : itemOf(chance, 'event', JSON.stringify(event.sent));
  });
  const text = items.join(chance.of(['\n', '\n\n']));
  return { text: chance.oneIn(2) ? text : `${text}\n`, events, isBroken };
}

function itemOf(chance: Chance, type: string, payload: string, needsLength = false): string {
  const length = needsLength || chance.oneIn(3) ? Buffer.byteLength(payload) : undefined;
  return `${JSON.stringify({ type, length, content_type: 'application/json' })}\n${payload}`;
}
