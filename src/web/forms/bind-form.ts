import { bind } from '#kernel/http/fields/binder.js';
import { invalid, missingAttribute } from '#kernel/http/errors.js';
import type { FieldClass } from '#kernel/http/fields/field-spec.js';

/**
 * Binds a form to the parameter class of the API, so that the same rules apply to both.
 * @throws 400 like the API; pages show the errors next to the fields
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
