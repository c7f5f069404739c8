import { Problem, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { scalar, texts } from '#kernel/http/fields/scalar-fields.js';

/** What filters take in place of a value: whatever there is, or nothing. */
export type AnyOrNone = 'any' | 'none';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The word that a text is, in any case of letters, or null. */
export function wordOf<Word extends string>(text: string, words: readonly Word[]): Word | null {
  const lower = text.toLowerCase();
  return words.find((word) => word === lower) ?? null;
}

const ANY_OR_NONE = ['any', 'none'] as const;

/** A whole number or one of some words, in any case of letters; `ofZero` is what 0 stands for. */
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
    check: (value) => (Number.isInteger(value) || words.includes(value as string) ? null : 'is no number'),
    schema: () => ({ oneOf: [{ type: 'integer' }, { type: 'string', enum: shown }] }),
  });
}

/** An id, `Any`, `None` or one of the further words; 0 is none, as clients have always sent it. */
export const IdOrAny = (options: FieldOptions = {}, further: readonly string[] = []): PropertyDecorator =>
  numberOrWord(options, [...ANY_OR_NONE, ...further], 'none');

/** A number, of which 0 is one like others, `Any` or `None`. */
export const NumberOrAny = (options: FieldOptions = {}): PropertyDecorator =>
  numberOrWord(options, ANY_OR_NONE, 0);

/** One of some words, in any case of letters, kept in lower case. */
export function Word(words: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const shown = words.map(capitalized);
  return scalar(options, {
    coerce: (raw) =>
      typeof raw === 'string' ? (wordOf(raw, words) ?? new Problem(texts.value)) : new Problem(texts.invalid),
    check: (value) => (words.includes(value as string) ? null : 'is none of the words'),
    schema: () => ({ type: 'string', enum: shown }),
  });
}

/** One of some values as they are written, or `Any` or `None` in any case of letters. */
export function OneOrAny(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const known = [...values, ...ANY_OR_NONE];
  return scalar(options, {
    coerce: (raw) => {
      if (typeof raw !== 'string') return new Problem(texts.invalid);
      return values.includes(raw) ? raw : (wordOf(raw, ANY_OR_NONE) ?? new Problem(texts.value));
    },
    check: (value) => (known.includes(value as string) ? null : 'is none of the values'),
    schema: () => ({ type: 'string', enum: [...values, ...ANY_OR_NONE.map(capitalized)] }),
  });
}
