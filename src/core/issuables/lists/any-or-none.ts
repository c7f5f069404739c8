import { Problem, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { scalar, texts } from '#kernel/http/fields/scalar-fields.js';

/** Filter values for any value or none. */
export type AnyOrNone = 'any' | 'none';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the matching word, case-insensitive, or null. */
export function wordOf<Word extends string>(text: string, words: readonly Word[]): Word | null {
  const lower = text.toLowerCase();
  return words.find((word) => word === lower) ?? null;
}

const ANY_OR_NONE = ['any', 'none'] as const;

/** Parses an integer or one of some words, case-insensitive; `ofZero`: meaning of 0. */
function numberOrWord(
  options: FieldOptions,
  words: readonly string[],
  ofZero: number | string,
): PropertyDecorator {
  const shown = words.map(capitalized);
  return scalar(options, {
    blankIsNull: true,
    coerce: (raw) => {
      const text = typeof raw === 'number' ? String(raw) : raw;
      if (typeof text !== 'string') return new Problem(texts.invalid);
      if (/^\d{1,15}$/.test(text)) return Number(text) === 0 ? ofZero : Number(text);
      return wordOf(text, words) ?? new Problem(texts.invalid);
    },
    check: (value) => (Number.isInteger(value) || words.includes(value as string) ? null : 'is not a number'),
    schema: () => ({ oneOf: [{ type: 'integer' }, { type: 'string', enum: shown }] }),
  });
}

/** An id, `Any`, `None` or one of the further words; 0 means none, as in v4. */
export const IdOrAny = (options: FieldOptions = {}, further: readonly string[] = []): PropertyDecorator =>
  numberOrWord(options, [...ANY_OR_NONE, ...further], 'none');

/** A number (0 has no special meaning), `Any` or `None`. */
export const NumberOrAny = (options: FieldOptions = {}): PropertyDecorator =>
  numberOrWord(options, ANY_OR_NONE, 0);

/** One of some words, case-insensitive, converted to lower case. */
export function Word(words: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const shown = words.map(capitalized);
  return scalar(options, {
    coerce: (raw) =>
      typeof raw === 'string' ? (wordOf(raw, words) ?? new Problem(texts.value)) : new Problem(texts.invalid),
    check: (value) => (words.includes(value as string) ? null : 'is not one of the words'),
    schema: () => ({ type: 'string', enum: shown }),
  });
}

/** One of some exact values, or `Any` or `None`, case-insensitive. */
export function OneOrAny(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const known = [...values, ...ANY_OR_NONE];
  return scalar(options, {
    coerce: (raw) => {
      if (typeof raw !== 'string') return new Problem(texts.invalid);
      return values.includes(raw) ? raw : (wordOf(raw, ANY_OR_NONE) ?? new Problem(texts.value));
    },
    check: (value) => (known.includes(value as string) ? null : 'is not one of the values'),
    schema: () => ({ type: 'string', enum: [...values, ...ANY_OR_NONE.map(capitalized)] }),
  });
}
