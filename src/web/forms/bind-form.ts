import { bind } from '#kernel/http/fields/binder.js';
import { invalid, missingAttribute } from '#kernel/http/errors.js';
import type { FieldClass } from '#kernel/http/fields/field-spec.js';

/**
 * Takes what a form sent to the class that the API takes the same values by, so that one set of rules holds for both.
 * @throws 400 as the API does; pages show it beside the fields
 */
export function bindForm<T extends object>(
  type: FieldClass<T>,
  values: Readonly<Record<string, unknown>>,
): T {
  const bound = bind(type, [values]);
  if (bound.ok) return bound.value;
  const [missing] = bound.missing;
  throw missing === undefined ? invalid(bound.problems) : missingAttribute(missing);
}
