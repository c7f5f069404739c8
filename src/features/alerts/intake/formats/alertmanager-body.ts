import { isPlainObject } from '#kernel/http/plain-object.js';
import { own } from './payload-values.js';

/** Keys that identify an Alertmanager body, besides its version. */
const KEYS = [
  'version',
  'groupKey',
  'status',
  'receiver',
  'groupLabels',
  'commonLabels',
  'commonAnnotations',
  'externalURL',
  'alerts',
] as const;

/** Names that no other tool uses. */
const MARKS = ['groupKey', 'groupLabels', 'commonLabels', 'commonAnnotations'] as const;

/**
 * Returns whether a body is an Alertmanager group; decided by the body alone, not by its URL (`ops.md` 5.2).
 */
export const isAlertmanagerBody = (body: Readonly<Record<string, unknown>>): boolean =>
  KEYS.every((key) => Object.hasOwn(body, key)) && body['version'] === '4';

/**
 * Returns why a body that resembles an Alertmanager group is not a valid one; null for other bodies. Treated
 * as a generic payload, it would be a critical alert without content, and its alerts would be lost. A body
 * with a title is generic: other tools imitate the format.
 */
export function flawsOfGroup(
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> | null {
  if (Object.hasOwn(body, 'title') || !MARKS.some((mark) => Object.hasOwn(body, mark))) return null;
  const missing = KEYS.filter((key) => !Object.hasOwn(body, key));
  if (missing.length > 0) return Object.fromEntries(missing.map((key) => [key, ['is missing']]));
  return body['version'] === '4' ? null : { version: ['must be "4"'] };
}

/** Returns the alerts of such a body; null if they are not a list. */
export function itemsOf(body: Readonly<Record<string, unknown>>): readonly unknown[] | null {
  const items = own(body, 'alerts');
  return Array.isArray(items) ? (items as unknown[]) : null;
}

const MAX_WORD = 255;
const word = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_WORD) : '');

/**
 * Returns a body with a single item, stored with its alert so that it can be processed again. Common labels
 * and annotations of the group are repeated in the item, and so not stored for each of a thousand alerts.
 */
export function bodyOfItem(
  body: Readonly<Record<string, unknown>>,
  item: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return {
    receiver: word(own(body, 'receiver')),
    status: word(own(body, 'status')),
    alerts: [item],
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: word(own(body, 'externalURL')),
    version: '4',
    groupKey: word(own(body, 'groupKey')),
  };
}

/** Returns the item of a stored Alertmanager payload; null for other payloads. */
export function storedItem(payload: unknown): Readonly<Record<string, unknown>> | null {
  if (!isPlainObject(payload) || !isAlertmanagerBody(payload)) return null;
  const [item] = itemsOf(payload) ?? [];
  return isPlainObject(item) ? item : null;
}
