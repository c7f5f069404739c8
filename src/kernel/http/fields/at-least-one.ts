import type { FieldClass } from './field-spec.js';

const AT_LEAST_ONE = Symbol('at least one');

/**
 * Marks a parameter class of which at least one attribute is required; `first` is the one that the error
 * names. Subclasses are not marked.
 */
export const AtLeastOne =
  (first: string): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(AT_LEAST_ONE, first, target);

/** The attribute to report as missing if none is given and the class is marked. */
export const atLeastOneOf = (type: FieldClass): string | undefined =>
  Reflect.getOwnMetadata(AT_LEAST_ONE, type) as string | undefined;
