import { createHash } from 'node:crypto';
import { hashOf, lineOf } from './event-text.js';
import { exceptionOrigin } from './exception-facts.js';
import { withFingerprint } from './fingerprint.js';
import { messageOrigin } from './message-facts.js';
import { MAX_NAME, type Origin } from './origin.js';
import { userKey } from './user-key.js';

/** Levels of events, the worst first. */
export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const;

/** How bad it is. */
export type Level = (typeof LEVELS)[number];

/** What grouping takes from the payload of an event. */
export interface EventFacts {
  /** SHA-256 of what events of one error have in common, as hexadecimal digits. */
  readonly groupKey: string;
  readonly name: string;
  readonly description: string | null;
  readonly actor: string | null;
  readonly level: Level;
  readonly platform: string | null;
  readonly environment: string | null;
  readonly release: string | null;
  readonly userKey: string | null;
}

/** Other words for levels that SDKs send. */
const ALIASES: Readonly<Record<string, Level>> = {
  critical: 'fatal',
  warn: 'warning',
  log: 'info',
  trace: 'debug',
};

const levelOf = (value: unknown): Level =>
  LEVELS.find((level) => level === value) ??
  (typeof value === 'string' && Object.hasOwn(ALIASES, value) ? ALIASES[value] : undefined) ??
  'error';

const UNKNOWN: Origin = { name: 'Unknown error', description: null, place: null, key: ['unknown'] };

const digest = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Of an event that cannot be read: it is counted all the same, and holds up no others. */
export const UNREADABLE: EventFacts = {
  groupKey: digest(['unreadable']),
  name: 'Unreadable event',
  description: null,
  actor: null,
  level: 'error',
  platform: null,
  environment: null,
  release: null,
  userKey: null,
};

/** The facts of a payload, as it was stored. Whatever it holds, there is an answer. */
export function eventFacts(payload: string): EventFacts {
  try {
    const event = hashOf(JSON.parse(payload));
    return event ? factsOf(event) : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

function factsOf(event: Readonly<Record<string, unknown>>): EventFacts {
  const level = levelOf(event['level']);
  const platform = lineOf(event['platform'], MAX_NAME);
  const transaction = lineOf(event['transaction'], MAX_NAME);
  const origin = exceptionOrigin(event, transaction) ?? messageOrigin(event, level, transaction) ?? UNKNOWN;
  const key = withFingerprint(event['fingerprint'], [platform ?? '', ...origin.key]);
  return {
    groupKey: digest(key),
    name: origin.name,
    description: origin.description,
    actor: origin.place ?? transaction,
    level,
    platform,
    environment: lineOf(event['environment'], MAX_NAME),
    release: lineOf(event['release'], MAX_NAME),
    userKey: userKey(event['user']),
  };
}
