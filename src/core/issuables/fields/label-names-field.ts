import { Text } from '#kernel/http/fields/scalar-fields.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import type { FieldOptions } from '#kernel/http/fields/field-spec.js';
import { MAX_LABELS } from '../label-links.js';

/**
 * Names of labels: a list, or one text with commas; names in a list are split at commas too, since names
 * cannot contain them.
 */
export const LabelList = (options: FieldOptions = {}): PropertyDecorator =>
  List(Text({ maxLength: 10_000, blank: true }), {
    optional: true,
    commaSeparated: 'everywhere',
    maxItems: MAX_LABELS,
    ...options,
  });

/** Returns the names without duplicates. */
export const namesOf = (sent: readonly string[]): string[] => [
  ...new Set(
    sent
      .flatMap((one) => one.split(','))
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];
