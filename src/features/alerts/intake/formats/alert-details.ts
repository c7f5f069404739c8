import { isPlainObject, type PlainObject } from '#kernel/http/plain-object.js';
import { storedItem } from './alertmanager-body.js';
import { own } from './payload-values.js';

/** Fields of a generic payload with their own columns. */
const KNOWN = new Set([
  'title',
  'description',
  'start_time',
  'end_time',
  'service',
  'monitoring_tool',
  'hosts',
  'severity',
  'fingerprint',
  'service_environment_name',
  'gitlab_environment_name',
]);

/** Annotations of Alertmanager with their own columns. */
const KNOWN_ANNOTATIONS = new Set([
  'title',
  'description',
  'runbook',
  'service_incident_markdown',
  'gitlab_incident_markdown',
  'service_y_label',
  'gitlab_y_label',
]);

/** Returns the further fields or annotations of a stored payload (`api-v4.md` 2.8, 4.4). */
export function alertDetails(payload: unknown): Record<string, unknown> {
  const item = storedItem(payload);
  if (item) {
    const annotations = own(item, 'annotations');
    return isPlainObject(annotations) ? without(annotations, KNOWN_ANNOTATIONS) : {};
  }
  return isPlainObject(payload) ? without(payload, KNOWN) : {};
}

const without = (object: PlainObject, names: ReadonlySet<string>): Record<string, unknown> =>
  // `fromEntries` defines properties, so that a key `__proto__` stays a key.
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
