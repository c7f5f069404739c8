import { hash } from 'node:crypto';
import { plainObjectOf } from '#kernel/http/plain-object.js';
import { lineOf } from './event-text.js';
import { exceptionOrigin } from './exception-facts.js';
import { withFingerprint } from './fingerprint.js';
import { messageOrigin } from './message-facts.js';
import { MAX_NAME, type Origin } from './origin.js';
import { userKey } from './user-key.js';

/** Facts of an event that grouping needs. */
export interface EventFacts {
  /** SHA-256 of what events of an error have in common, in hexadecimal. */
  readonly groupKey: string;
  readonly name: string;
  readonly description: string | null;
  readonly actor: string | null;
  readonly platform: string | null;
  readonly userKey: string | null;
}

const UNKNOWN: Origin = { name: 'Unknown error', description: null, location: null, key: ['unknown'] };

const digest = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts));

/** For an unreadable event: it is still counted, and does not block others. */
export const UNREADABLE: EventFacts = {
  groupKey: digest(['unreadable']),
  name: 'Unreadable event',
  description: null,
  actor: null,
  platform: null,
  userKey: null,
};

/** Returns the facts of a stored payload with its level. Does not throw for any content. */
export function eventFacts(payload: string, level: string): EventFacts {
  try {
    const event = plainObjectOf(JSON.parse(payload));
    return event ? factsOf(event, level) : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** Returns those of a parsed payload. */
export function factsOf(event: Readonly<Record<string, unknown>>, level: string): EventFacts {
  const platform = lineOf(event['platform'], MAX_NAME);
  const transaction = lineOf(event['transaction'], MAX_NAME);
  const origin = exceptionOrigin(event, transaction) ?? messageOrigin(event, level, transaction) ?? UNKNOWN;
  const key = withFingerprint(event['fingerprint'], [platform ?? '', ...origin.key]);
  return {
    groupKey: digest(key),
    name: origin.name,
    description: origin.description,
    actor: origin.location ?? transaction,
    platform,
    userKey: userKey(event['user']),
  };
}
