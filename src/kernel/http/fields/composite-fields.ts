import { isPlainObject, type PlainObject } from '../plain-object.js';
import { bind } from './binder.js';
import { checkRecord } from '../answers/record-check.js';
import {
  field,
  fieldsOf,
  NestedProblem,
  Problem,
  type FieldClass,
  type FieldOptions,
  type FieldSpec,
} from './field-spec.js';
import { texts } from './scalar-fields.js';

interface ListOptions extends FieldOptions {
  /**
   * Also accepts one string with commas, as v4 does for scopes and topics; 'everywhere': each item of a list
   * too, so that `maxItems` counts all of them.
   */
  readonly commaSeparated?: boolean | 'everywhere';
  readonly maxItems?: number;
}

/** Returns the field specification of a scalar decorator, for use as the item of a list. */
function specOf(decorator: PropertyDecorator): FieldSpec {
  class Item {}
  decorator(Item.prototype, 'item');
  const [spec] = fieldsOf(Item);
  if (!spec) throw new Error('A list needs a field decorator for its items');
  return spec;
}

/** A list of scalars: `@List(Text())`; query strings write `name[]=a`. */
export function List(item: PropertyDecorator, options: ListOptions = {}): PropertyDecorator {
  const { commaSeparated = false, maxItems = 1000 } = options;
  const spec = specOf(item);
  const coerce = (raw: unknown): unknown => {
    const isText = typeof raw === 'string' || typeof raw === 'number';
    const given =
      commaSeparated && isText
        ? splitCommas([`${raw},`], maxItems)
        : commaSeparated === 'everywhere' && Array.isArray(raw)
          ? splitCommas(raw, maxItems)
          : raw;
    if (!Array.isArray(given)) return given === '' ? [] : new Problem(texts.invalid);
    if (given.length > maxItems) return new Problem(`has too many items (maximum is ${maxItems})`);
    const values: unknown[] = [];
    for (const one of given) {
      if (one === '' && given.length === 1) return [];
      const value = one === null || one === undefined ? new Problem(texts.invalid) : spec.coerce(one, '');
      if (value instanceof Problem) return value;
      values.push(value);
    }
    return values;
  };
  const check = (value: unknown): string | null =>
    Array.isArray(value)
      ? (value.map((one) => spec.check(one, '')).find(Boolean) ?? null)
      : 'is not an array';
  const schema = (): Record<string, unknown> => ({ type: 'array', items: spec.schema() });
  return field((property, name) => ({ property, name, options, coerce, check, schema }), options);
}

/** Pieces between commas that are parsed for each permitted item: blank ones are left out. */
const PIECES_PER_ITEM = 10;

/**
 * Splits the texts with commas among `items`. With too many pieces, returns more than `maxItems`, but not all
 * of them: a text of ten million commas takes a third of a second to split.
 */
function splitCommas(items: readonly unknown[], maxItems: number): unknown[] {
  const found: unknown[] = [];
  let room = PIECES_PER_ITEM * maxItems;
  for (const item of items) {
    if (typeof item !== 'string' || !item.includes(',')) {
      found.push(item);
      continue;
    }
    const pieces = item.split(',', room + 1);
    room -= pieces.length;
    if (room < 0) return Array.from({ length: maxItems + 1 });
    for (const piece of pieces) {
      const text = piece.trim();
      if (text !== '') found.push(text);
    }
  }
  return found;
}

const isHash = (value: unknown): value is PlainObject => isPlainObject(value) && !(value instanceof Date);

const bindNested = (type: FieldClass, raw: unknown, path: string): unknown => {
  if (!isHash(raw)) return new Problem(texts.invalid);
  const bound = bind(type, [raw], path);
  return bound.ok ? bound.value : new NestedProblem(bound.missing, bound.problems, false);
};

const refTo = (type: FieldClass): Record<string, unknown> => ({ $ref: `#/components/schemas/${type.name}` });

/** One hash: `@Nested(() => Configuration)`; query strings write `name[key]=value`. */
export function Nested(type: () => FieldClass, options: FieldOptions = {}): PropertyDecorator {
  return field(
    (property, name) => ({
      property,
      name,
      options,
      nested: type,
      coerce: (raw, path) => bindNested(type(), raw, path),
      check: (value, path) => checkRecord(type(), value, path),
      schema: () => refTo(type()),
    }),
    options,
  );
}

/** A list of hashes: `@ListOf(() => Entity)`; query strings write `name[0][key]=value`. */
export function ListOf(type: () => FieldClass, options: ListOptions = {}): PropertyDecorator {
  const { maxItems = 1000 } = options;
  const coerce = (raw: unknown, path: string): unknown => {
    const given =
      isHash(raw) && Object.keys(raw).every((key) => /^\d+$/.test(key)) ? Object.values(raw) : raw;
    if (!Array.isArray(given)) return new Problem(texts.invalid);
    if (given.length > maxItems) return new Problem(`has too many items (maximum is ${maxItems})`);
    const missing: string[] = [];
    const problems: Record<string, unknown> = {};
    const values = given.map((one: unknown, index) => {
      const value = bindNested(type(), one, `${path}[${index}]`);
      if (value instanceof Problem) problems[`${path}[${index}]`] = [value.text];
      if (value instanceof NestedProblem) {
        missing.push(...value.missing);
        if (Object.keys(value.problems).length > 0) problems[`${path}[${index}]`] = value.problems;
      }
      return value;
    });
    return missing.length > 0 || Object.keys(problems).length > 0
      ? new NestedProblem(missing, problems, true)
      : values;
  };
  return field(
    (property, name) => ({
      property,
      name,
      options,
      nested: type,
      coerce,
      check: (value, path) =>
        Array.isArray(value)
          ? (value.map((one, index) => checkRecord(type(), one, `${path}[${index}]`)).find(Boolean) ?? null)
          : 'is not an array',
      schema: () => ({ type: 'array', items: refTo(type()) }),
    }),
    options,
  );
}
