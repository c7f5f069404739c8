import { field, fieldsOf, type FieldClass } from './field-spec.js';

/**
 * Creates a record for routes that show more or less of a resource depending on the caller: the fields of
 * `most`, of which those that `least` lacks are optional.
 */
export function recordBetween(name: string, least: FieldClass, most: FieldClass): FieldClass {
  const always = new Set(fieldsOf(least).map((spec) => spec.name));

  const type = { [name]: class {} }[name] as FieldClass;
  for (const spec of fieldsOf(most)) {
    const options = always.has(spec.name) ? spec.options : { ...spec.options, optional: true };
    field(() => ({ ...spec, options }), options)(type.prototype as object, spec.property);
  }
  return type;
}
