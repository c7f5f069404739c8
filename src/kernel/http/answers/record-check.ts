import { isPlainObject } from '../plain-object.js';
import { fieldsOf, type FieldClass } from '../fields/field-spec.js';

/**
 * Describes the first difference between an answer and its record: a missing or undeclared field, or one of another type.
 * Null if they match. Used under test only.
 */
export function checkRecord(type: FieldClass, value: unknown, path: string): string | null {
  if (!isPlainObject(value)) return `${path} is not a ${type.name}`;
  const fields = fieldsOf(type);
  // A record without fields is a map whose keys are values themselves.
  if (fields.length === 0) return null;
  for (const { name, options, check } of fields) {
    const at = path === '' ? name : `${path}.${name}`;
    const one = value[name];
    if (one === undefined) {
      if (!options.optional) return `${at} is missing`;
    } else if (one === null) {
      if (!options.nullable) return `${at} is null`;
    } else {
      const problem = check(one, at);
      if (problem !== null) return problem.startsWith(at) ? problem : `${at} ${problem}`;
    }
  }
  const known = new Set(fields.map((field) => field.name));
  const extra = Object.keys(value).find((name) => !known.has(name));
  return extra === undefined
    ? null
    : `${path === '' ? extra : `${path}.${extra}`} is not declared in ${type.name}`;
}
