const NONE: ReadonlySet<string> = new Set();

/**
 * Serializes JSON independently of the order of keys, so that equal payloads have equal digests; `without`
 * these keys of the outermost object.
 */
export function canonicalJson(value: unknown, without = NONE): string {
  if (Array.isArray(value)) return `[${value.map((member) => canonicalJson(member)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).filter((name) => !without.has(name));
  // Sorted without a callback, which would take a tenth of a second for all values of a body.
  names.sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`).join(',')}}`;
}
