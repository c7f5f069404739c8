import { hash } from 'node:crypto';
import { hashOf, lineOf } from './event-text.js';
import { exceptionOrigin } from './exception-facts.js';
import { withFingerprint } from './fingerprint.js';
import { messageOrigin } from './message-facts.js';
import { MAX_NAME, type Origin } from './origin.js';
import { userKey } from './user-key.js';

/** What grouping takes from the payload of an event. */
export interface EventFacts {
  /** SHA-256 of what events of one error have in common, as hexadecimal digits. */
  readonly groupKey: string;
  readonly name: string;
  readonly description: string | null;
  readonly actor: string | null;
  readonly platform: string | null;
  readonly userKey: string | null;
}

const UNKNOWN: Origin = { name: 'Unknown error', description: null, place: null, key: ['unknown'] };

const digest = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts));

/** Of an event that cannot be read: it is counted all the same, and holds up no others. */
export const UNREADABLE: EventFacts = {
  groupKey: digest(['unreadable']),
  name: 'Unreadable event',
  description: null,
  actor: null,
  platform: null,
  userKey: null,
};

/** The facts of a payload as it was stored, with its level. Whatever it holds, there is an answer. */
export function eventFacts(payload: string, level: string): EventFacts {
  try {
    const event = hashOf(JSON.parse(payload));
    return event ? factsOf(event, level) : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** The same of a payload that has been parsed already. */
export function factsOf(event: Readonly<Record<string, unknown>>, level: string): EventFacts {
  const platform = lineOf(event['platform'], MAX_NAME);
  const transaction = lineOf(event['transaction'], MAX_NAME);
  const origin = exceptionOrigin(event, transaction) ?? messageOrigin(event, level, transaction) ?? UNKNOWN;
  const key = withFingerprint(event['fingerprint'], [platform ?? '', ...origin.key]);
  return {
    groupKey: digest(key),
    name: origin.name,
    description: origin.description,
    actor: origin.place ?? transaction,
    platform,
    userKey: userKey(event['user']),
  };
}
