import { field, fieldsOf, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { IsoTime } from '#kernel/http/fields/scalar-fields.js';

/** A point in time that may be missing, but is no time when it is null or blank: both are refused. */
export function GivenTime(options: Omit<FieldOptions, 'optional' | 'nullable'>): PropertyDecorator {
  class Plain {}
  const given = { ...options, optional: true };
  IsoTime(given)(Plain.prototype, 'time');
  const [spec] = fieldsOf(Plain);
  if (!spec) throw new Error('A time has a field');
  const { coerce, check, schema } = spec;
  return field(
    (property, name) => ({ property, name, options: given, coerce, check, schema, onNull: 'problem' }),
    given,
  );
}
