import { isObject, own } from './payload-values.js';

/** What makes a body one of Alertmanager's, beside its version. */
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

/** Names that no other tool uses for anything else. */
const MARKS = ['groupKey', 'groupLabels', 'commonLabels', 'commonAnnotations'] as const;

/** Whether a body is a group of alerts as Alertmanager sends it; the body alone says so, never its URL (`ops.md` 5.2). */
export const isAlertmanagerBody = (body: Readonly<Record<string, unknown>>): boolean =>
  KEYS.every((key) => Object.hasOwn(body, key)) && body['version'] === '4';

/**
 * What keeps a body that is meant to be such a group from being one; null for other bodies. Taken for a generic payload it would be a critical alert
 * of nothing, and those in it would be lost. One with a title is as generic as it says: other tools have borrowed the form.
 */
export function flawsOfGroup(
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> | null {
  if (Object.hasOwn(body, 'title') || !MARKS.some((mark) => Object.hasOwn(body, mark))) return null;
  const missing = KEYS.filter((key) => !Object.hasOwn(body, key));
  if (missing.length > 0) return Object.fromEntries(missing.map((key) => [key, ['is missing']]));
  return body['version'] === '4' ? null : { version: ['must be "4"'] };
}

/** The alerts of such a body; null where they are no list. */
export function itemsOf(body: Readonly<Record<string, unknown>>): readonly unknown[] | null {
  const items = own(body, 'alerts');
  return Array.isArray(items) ? (items as unknown[]) : null;
}

const MAX_WORD = 255;
const word = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_WORD) : '');

/**
 * A body with one item alone: what is kept of an alert, so that it can be taken in again. What its group has in common is in the
 * labels and annotations of the item too, and is not kept a thousand times.
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

/** The item of a stored payload that came from Alertmanager; null for other payloads. */
export function storedItem(payload: unknown): Readonly<Record<string, unknown>> | null {
  if (!isObject(payload) || !isAlertmanagerBody(payload)) return null;
  const [item] = itemsOf(payload) ?? [];
  return isObject(item) ? item : null;
}
