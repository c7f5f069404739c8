import { tooLarge } from '#kernel/http/bodies/bounded-body.js';
import { jsonShape } from '#kernel/http/bodies/json/json-shape.js';
import { MAX_JSON_VALUES, tooManyValues } from '#kernel/http/bodies/json/json-values.js';
import { isPlainObject, type PlainObject } from '#kernel/http/plain-object.js';
import { factsOf, type EventFacts } from '../../grouping/facts/event-facts.js';
import { unreadable, unsupported } from '../intake-errors.js';
import { occurredAt } from './occurred-at.js';

/** Limit of bytes of an event in JSON (`decisions.md` 2.12). */
const MAX_BYTES = 1024 * 1024;
const MAX_PLATFORM = 255;
const MAX_NAME = 255;

const EVENT_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
/** Escape of a NUL in JSON. */
const NUL = '\\u0000';
const NO_ID = '0'.repeat(32);

/** Names of levels in SDKs; the default is error. */
const LEVELS: ReadonlyMap<unknown, string> = new Map([
  ...['fatal', 'error', 'warning', 'info', 'debug'].map((level): [string, string] => [level, level]),
  ['critical', 'fatal'],
  ['warn', 'warning'],
  ['log', 'info'],
]);

/** A valid event. */
export interface SentEvent {
  /** 32 hexadecimal digits; null if the event has none. */
  readonly id: string | null;
  readonly level: string;
  readonly environment: string | null;
  readonly release: string | null;
  readonly occurredAt: Date;
  /** Its JSON as received, without NUL characters, which PostgreSQL does not store. */
  readonly payload: string;
  /**
   * Facts for grouping; null if the stored payload differs from what was parsed, and must be parsed again.
   */
  readonly facts: EventFacts | null;
}

/**
 * Parses the JSON of an event; null for other items sent as events. @throws 400, 413, 422 for too many values
 */
export function readEvent(sent: Buffer, receivedAt: Date): SentEvent | null {
  if (sent.length > MAX_BYTES) throw tooLarge();
  // Before anything else: without NULs a text may end elsewhere, and the depth may differ.
  const json = sent.includes(0) ? Buffer.from(sent.toString('latin1').replaceAll('\0', ''), 'latin1') : sent;
  const { values, isTooDeep } = jsonShape(json, MAX_JSON_VALUES + 1);
  if (values > MAX_JSON_VALUES) throw tooManyValues();
  if (isTooDeep) throw unreadable();
  const text = json.toString('utf8');
  // Parse it with its escapes: removing one from invalid JSON may create another.
  const event = parse(text);
  // Performance data is sent as an event of this type.
  if (event['type'] === 'transaction') return null;
  const { platform, environment } = event;
  if (!tells(event) || !isTextOrNone(platform) || !isTextOrNone(environment)) throw unsupported();
  if ((platform?.length ?? 0) > MAX_PLATFORM) throw unsupported();
  const payload = withoutEscapedNuls(text);
  const level = LEVELS.get(event['level']) ?? 'error';
  return {
    id: eventIdOf(event['event_id']),
    level,
    environment: nameOf(environment),
    release: nameOf(event['release']),
    occurredAt: occurredAt(event['timestamp'], receivedAt),
    payload,
    facts: payload === text ? factsOf(event, level) : null,
  };
}

/** Returns an id as SDKs write it, without dashes; null if it is invalid. */
export function eventIdOf(value: unknown): string | null {
  if (typeof value !== 'string' || !EVENT_ID.test(value)) return null;
  const id = value.replaceAll('-', '').toLowerCase();
  return id === NO_ID ? null : id;
}

function parse(text: string): PlainObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable();
  }
  if (!isPlainObject(value)) throw unreadable();
  return value;
}

/** Removes escapes of NULs from JSON; an escaped backslash before the letter `u` is not one. */
function withoutEscapedNuls(json: string): string {
  const kept: string[] = [];
  let from = 0;
  // Other escapes are not checked one by one: there may be half a million.
  for (let at = json.indexOf(NUL); at >= 0; at = json.indexOf(NUL, at + 1)) {
    let escape = at;
    while (escape > from && json[escape - 1] === '\\') escape -= 1;
    if ((at - escape) % 2 !== 0) continue;
    kept.push(json.slice(from, at));
    from = at + NUL.length;
  }
  return from === 0 ? json : kept.join('') + json.slice(from);
}

/** Returns whether the event reports an error: exceptions, or a message in either of its two fields. */
function tells({ exception, message, logentry }: PlainObject): boolean {
  const values = isPlainObject(exception) ? exception['values'] : exception;
  if (Array.isArray(values) && values.length > 0) return true;
  return [message, logentry].some((one) => typeof one === 'string' || isPlainObject(one));
}

const isTextOrNone = (value: unknown): value is string | null | undefined =>
  typeof value === 'string' || value === null || value === undefined;

/** Returns a name for lists; null if blank. */
const nameOf = (value: unknown): string | null =>
  (typeof value === 'string' && value.replaceAll('\0', '').slice(0, MAX_NAME)) || null;
