import { isPlainObject } from '#kernel/http/plain-object.js';
import { storable } from './payload-values.js';

/** Escapes of NULs and of lone surrogates; after an escaped backslash they are plain text. */
const REFUSED = /\\u(?:0000|d[89a-f])/;

/** Serializes JSON for PostgreSQL: without NULs, and with the replacement character for lone surrogates. */
export function storedJson(value: unknown): string {
  const json = JSON.stringify(value);
  return REFUSED.test(json) ? JSON.stringify(allStorable(value)) : json;
}

/** Changes whole texts at once: to look at each escape of the JSON takes seconds. */
function allStorable(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(allStorable);
  if (!isPlainObject(value)) return value;
  // `fromEntries` defines properties, so that a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storable(name), allStorable(member)]),
  );
}
