import type { FieldClass } from './field-spec.js';

const AT_LEAST_ONE = Symbol('at least one');

/**
 * Marks a parameter class of which something must be given; `first` is the attribute that the refusal names. Classes that
 * extend it are not marked by that.
 */
export const AtLeastOne =
  (first: string): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(AT_LEAST_ONE, first, target);

/** The attribute to name when nothing is given, if the class is marked. */
export const atLeastOneOf = (type: FieldClass): string | undefined =>
  Reflect.getOwnMetadata(AT_LEAST_ONE, type) as string | undefined;
