import { field, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { checkRecord } from '#kernel/http/answers/record-check.js';
import { LabelDetailRecord } from '#core/labels/label-detail.record.js';

/** The labels of a record: their names or, if details are requested, their records. */
export function Labels(given: FieldOptions = {}): PropertyDecorator {
  const options = { example: ['bug', 'search'], ...given };
  const checkOne = (one: unknown, path: string): string | null =>
    typeof one === 'string' ? null : checkRecord(LabelDetailRecord, one, path);
  const coerce = (raw: unknown): unknown => raw;
  const check = (value: unknown, path: string): string | null =>
    Array.isArray(value)
      ? (value.map((one, index) => checkOne(one, `${path}[${index}]`)).find(Boolean) ?? null)
      : 'is not an array';
  const schema = (): Record<string, unknown> => ({
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/LabelDetailRecord' }] },
  });
  const nested = (): typeof LabelDetailRecord => LabelDetailRecord;
  return field((property, name) => ({ property, name, options, coerce, check, schema, nested }), options);
}
