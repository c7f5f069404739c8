import { tooLarge } from '#kernel/http/bodies/bounded-body.js';
import { jsonShape } from '#kernel/http/bodies/json/json-shape.js';
import { MAX_JSON_VALUES, tooManyValues } from '#kernel/http/bodies/json/json-values.js';
import { factsOf, type EventFacts } from '../../grouping/facts/event-facts.js';
import { isHash, type JsonHash } from './envelope.js';
import { unreadable, unsupported } from '../intake-errors.js';
import { occurredAt } from './occurred-at.js';

/** Bytes of one event as JSON (`decisions.md` 2.12). */
const MAX_BYTES = 1024 * 1024;
const MAX_PLATFORM = 255;
const MAX_NAME = 255;

const EVENT_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const NO_ID = '0'.repeat(32);

/** Names of levels as SDKs have them; what says nothing is an error. */
const LEVELS: ReadonlyMap<unknown, string> = new Map([
  ...['fatal', 'error', 'warning', 'info', 'debug'].map((level): [string, string] => [level, level]),
  ['critical', 'fatal'],
  ['warn', 'warning'],
  ['log', 'info'],
]);

/** An event that can be stored. */
export interface SentEvent {
  /** 32 hexadecimal digits; null where the event names none. */
  readonly id: string | null;
  readonly level: string;
  readonly environment: string | null;
  readonly release: string | null;
  readonly occurredAt: Date;
  /** Its JSON as it came, without NUL characters, which PostgreSQL takes nowhere. */
  readonly payload: string;
  /** What grouping needs of it; null where it is to read the payload, which is not what came. */
  readonly facts: EventFacts | null;
}

/** Reads the JSON of an event; null for what is sent as one and is none. @throws 400, 413, 422 for too many values */
export function readEvent(sent: Buffer, receivedAt: Date): SentEvent | null {
  if (sent.length > MAX_BYTES) throw tooLarge();
  // Before anything is judged: without them a text may end elsewhere, and more be nested than it seemed.
  const json = sent.includes(0) ? Buffer.from(sent.filter((byte) => byte !== 0)) : sent;
  const { values, isTooDeep } = jsonShape(json, MAX_JSON_VALUES + 1);
  if (values > MAX_JSON_VALUES) throw tooManyValues();
  if (isTooDeep) throw unreadable();
  const text = json.toString('utf8');
  // With its escapes: taking one out of what is no JSON may make another of what was around it.
  const event = parse(text);
  // How a long operation went is told as an event of this type.
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

/** An id as SDKs write it, with or without dashes, without them; null for what is none. */
export function eventIdOf(value: unknown): string | null {
  if (typeof value !== 'string' || !EVENT_ID.test(value)) return null;
  const id = value.replaceAll('-', '').toLowerCase();
  return id === NO_ID ? null : id;
}

function parse(text: string): JsonHash {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable();
  }
  if (!isHash(value)) throw unreadable();
  return value;
}

/** Takes escapes of NULs out of JSON; that of a backslash before the letter `u` is none. */
const withoutEscapedNuls = (json: string): string =>
  json.includes('\\u0000')
    ? json.replace(/\\(?:u0000|[^])/g, (escape) => (escape === '\\u0000' ? '' : escape))
    : json;

/** Whether there is anything to make an error of: exceptions, or a message in either of its two places. */
function tells({ exception, message, logentry }: JsonHash): boolean {
  const values = isHash(exception) ? exception['values'] : exception;
  if (Array.isArray(values) && values.length > 0) return true;
  return [message, logentry].some((one) => typeof one === 'string' || isHash(one));
}

const isTextOrNone = (value: unknown): value is string | null | undefined =>
  typeof value === 'string' || value === null || value === undefined;

/** A name that lists show: nothing where it is blank. */
const nameOf = (value: unknown): string | null =>
  (typeof value === 'string' && value.replaceAll('\0', '').slice(0, MAX_NAME)) || null;
