import { Problem, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { scalar, texts } from '#kernel/http/fields/scalar-fields.js';

/** Segments of letters, digits, `_`, `-` and `.` that begin and end with a letter, digit or `_`. */
const RELATIVE_PATH = /^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/;
const SLUG = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const MAX_PATH = 1_024;

const NO_PATH = (example: string): string =>
  `must be a relative path and not include protocol, sub-domain, or domain information. For example, '${example}' not 'https://example.com/${example}'`;

const NO_SLUG =
  "can only include non-accented letters, digits, '_', '-' and '.'. It must not start with '-', '_', or '.', nor end with '-', '_', '.', '.git', or '.atom'. For example, 'destination_namespace' not 'destination/namespace'";

const textField = (options: FieldOptions, problemOf: (text: string) => string | null): PropertyDecorator =>
  scalar(options, {
    coerce: (raw) => {
      const text = typeof raw === 'number' ? String(raw) : raw;
      if (typeof text !== 'string') return new Problem(texts.invalid);
      const problem = text.length > MAX_PATH ? texts.tooLong(MAX_PATH) : problemOf(text);
      return problem === null ? text : new Problem(problem);
    },
    check: (value) => (typeof value === 'string' ? null : 'is not a string'),
    schema: () => ({ type: 'string' }),
  });

/** A full path without other parts of a URL; blank for the top level, if allowed. */
export const RelativePath = (
  example: string,
  options: FieldOptions & { readonly blank?: boolean } = {},
): PropertyDecorator =>
  textField({ example, ...options }, (text) => {
    if (text === '') return options.blank ? null : texts.empty;
    return RELATIVE_PATH.test(text) ? null : NO_PATH(example);
  });

/** A segment of a path. */
export const Slug = (options: FieldOptions): PropertyDecorator =>
  textField(options, (text) => (SLUG.test(text) && !/\.(git|atom)$/i.test(text) ? null : NO_SLUG));
