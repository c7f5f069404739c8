/** Fields of a generic payload that have a place of their own in the record. */
const GENERIC = new Set([
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

/** Annotations of an Alertmanager item that have one. */
const ANNOTATIONS = new Set([
  'title',
  'summary',
  'description',
  'runbook',
  'service_incident_markdown',
  'gitlab_incident_markdown',
  'service_y_label',
  'gitlab_y_label',
]);

type Hash = Readonly<Record<string, unknown>>;

const isHash = (value: unknown): value is Hash =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (hash: Hash, names: ReadonlySet<string>): Hash =>
  Object.fromEntries(Object.entries(hash).filter(([name]) => !names.has(name)));

/**
 * What a stored payload says beyond the fields of the record: all else of a generic one, the other annotations of an Alertmanager item. The stored
 * payload of such an item is a message with this item alone.
 */
export function alertDetails(payload: unknown): Hash {
  if (!isHash(payload)) return {};
  const item = managerItemOf(payload);
  if (!item) return without(payload, GENERIC);
  const { annotations } = item;
  return isHash(annotations) ? without(annotations, ANNOTATIONS) : {};
}

function managerItemOf({ version, groupKey, alerts }: Hash): Hash | null {
  if (version !== '4' || groupKey === undefined || !Array.isArray(alerts)) return null;
  const [item] = alerts as unknown[];
  return isHash(item) ? item : {};
}
