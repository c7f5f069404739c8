import { field, fieldsOf, type FieldClass, type FieldSpec } from './field-spec.js';

/** The plain values of a record class, for records composed of several parts. */
export type Values<T extends object> = { [Name in keyof T]: T[Name] };

const declare = (target: FieldClass, spec: FieldSpec): void => {
  field(() => spec, spec.options)(target.prototype as object, spec.property);
};

/**
 * The fields of a class, all optional: parameters of a change, or a part of a record that not everyone gets.
 */
export function partialOf<T extends object>(type: FieldClass<T>): FieldClass<Partial<T>> {
  class PartialFields {}
  for (const spec of fieldsOf(type))
    declare(PartialFields, { ...spec, options: { ...spec.options, optional: true } });
  return PartialFields;
}

/** The fields of two classes; if both have one of the same name, the first applies. */
export function bothOf<A extends object, B extends object>(
  one: FieldClass<A>,
  other: FieldClass<B>,
): FieldClass<A & B> {
  class BothFields {}
  const first = fieldsOf(one);
  const names = new Set(first.map((spec) => spec.property));
  const second = fieldsOf(other).filter((spec) => !names.has(spec.property));
  for (const spec of [...first, ...second]) declare(BothFields, spec);
  return BothFields as FieldClass<A & B>;
}
