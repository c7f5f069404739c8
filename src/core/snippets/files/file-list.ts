import type { FieldClass, FieldOptions } from '#kernel/http/fields/field-spec.js';
import { field, fieldsOf } from '#kernel/http/fields/field-spec.js';
import { ListOf } from '#kernel/http/fields/composite-fields.js';

/**
 * A list of hashes that forms may also send as `files[][file_path]=a&files[][content]=b`, repeated for each
 * file: the parser turns it into columns, `[{file_path: [a, c], content: [b, d]}]`, which this turns back
 * into rows. Columns of different lengths are kept, and rejected later.
 */
export function FileList(
  type: () => FieldClass,
  options: FieldOptions & { readonly maxItems?: number },
): PropertyDecorator {
  class Plain {}
  ListOf(type, options)(Plain.prototype, 'list');
  const [spec] = fieldsOf(Plain);
  if (!spec) throw new Error('A list has a field');
  return field(
    (property, name) => ({
      ...spec,
      property,
      name,
      coerce: (raw, path) => spec.coerce(rowsOf(raw), path),
    }),
    options,
  );
}

function rowsOf(raw: unknown): unknown {
  const [only, ...others] = Array.isArray(raw) ? (raw as unknown[]) : [];
  if (typeof only !== 'object' || only === null || others.length > 0) return raw;
  const columns = Object.entries(only);
  const [first] = columns;
  const length = Array.isArray(first?.[1]) ? first[1].length : 0;
  const isTable =
    length > 1 && columns.every(([, values]) => Array.isArray(values) && values.length === length);
  if (!isTable) return raw;
  return Array.from({ length }, (_, row) =>
    Object.fromEntries(columns.map(([name, values]) => [name, (values as unknown[])[row]])),
  );
}
