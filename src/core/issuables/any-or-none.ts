import { Problem, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { scalar, texts } from '#kernel/http/fields/scalar-fields.js';

/** What filters take in place of a value: whatever there is, or nothing. */
export type AnyOrNone = 'any' | 'none';

/** The word that a text is, in any case of letters, or null. */
export function wordOf<Word extends string>(text: string, words: readonly Word[]): Word | null {
  const lower = text.toLowerCase();
  return words.find((word) => word === lower) ?? null;
}

/** An id, `Any` or `None`; 0 is none, as clients have always sent it. */
export function IdOrAny(options: FieldOptions = {}): PropertyDecorator {
  return scalar(options, {
    blankIsNull: true,
    coerce: (raw) => {
      const text = typeof raw === 'number' ? String(raw) : raw;
      if (typeof text !== 'string') return new Problem(texts.invalid);
      if (/^\d{1,15}$/.test(text)) return Number(text) === 0 ? 'none' : Number(text);
      return wordOf(text, ['any', 'none']) ?? new Problem(texts.invalid);
    },
    check: (value) => (Number.isInteger(value) || value === 'any' || value === 'none' ? null : 'is no id'),
    schema: () => ({ oneOf: [{ type: 'integer' }, { type: 'string', enum: ['Any', 'None'] }] }),
  });
}

/** One of some words, in any case of letters, kept in lower case. */
export function Word(words: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const shown = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return scalar(options, {
    coerce: (raw) =>
      typeof raw === 'string' ? (wordOf(raw, words) ?? new Problem(texts.value)) : new Problem(texts.invalid),
    check: (value) => (words.includes(value as string) ? null : 'is none of the words'),
    schema: () => ({ type: 'string', enum: shown }),
  });
}
