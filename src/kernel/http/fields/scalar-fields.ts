import { isISO8601 } from 'class-validator';
import { field, Problem, type FieldOptions, type FieldSchema, type FieldSpec } from './field-spec.js';
import { isLongerThan } from './text-length.js';

/** Messages of `decisions.md` 2.3 for invalid values. */
export const texts = {
  invalid: 'is invalid',
  value: 'does not have a valid value',
  empty: 'is empty',
  lostPlus: 'is invalid: a + in a URL is written %2B',
  tooLong: (length: number): string => `is too long (maximum is ${length} characters)`,
} as const;

type Coercion = Pick<FieldSpec, 'coerce' | 'check' | 'schema' | 'onNull' | 'blankIsNull' | 'file'>;

/** Field decorator for a single value with the given coercion. */
export const scalar = (options: FieldOptions, coercion: Coercion): PropertyDecorator =>
  field((property, name) => ({ property, name, options, ...coercion }), options);

/** PostgreSQL accepts no NUL in a string, and no client means one; lone surrogates cannot be encoded. */
const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

interface TextOptions extends FieldOptions {
  /** Characters; default 10,000 for parameters. */
  readonly maxLength?: number;
  /** Whether the empty string is accepted; default: only if the parameter is optional. */
  readonly blank?: boolean;
  /** Whether an empty string counts as missing, as v4 clients send it for filters that are not set. */
  readonly blankIsNull?: true;
  readonly matches?: RegExp;
  readonly format?: string;
  readonly trim?: boolean;
}

/** A string; numbers and booleans are converted, arrays and hashes are rejected. */
export function Text(options: TextOptions = {}): PropertyDecorator {
  const {
    maxLength = 10_000,
    blank = options.optional ?? false,
    blankIsNull,
    matches,
    trim = false,
  } = options;
  const schema: FieldSchema = {
    type: 'string',
    ...(options.format ? { format: options.format } : {}),
    ...(options.maxLength === undefined ? {} : { maxLength }),
  };
  return scalar(options, {
    coerce: (raw) => {
      if (typeof raw === 'number' || typeof raw === 'boolean') raw = String(raw);
      if (typeof raw !== 'string') return new Problem(texts.invalid);
      const text = trim ? raw.trim() : raw;
      if (!blank && text.trim() === '') return new Problem(texts.empty);
      if (isLongerThan(text, maxLength)) return new Problem(texts.tooLong(maxLength));
      if (!storable(text) || (matches && text !== '' && !matches.test(text)))
        return new Problem(texts.invalid);
      return text;
    },
    check: (value) => (typeof value === 'string' ? null : 'is not a string'),
    schema: () => schema,
    ...(blankIsNull ? { blankIsNull } : {}),
  });
}

interface WholeOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
  /** Message for a number outside the range; default "does not have a valid value". */
  readonly rangeText?: string;
}

/**
 * Options of numbers that are calculated with. They must declare their range, because what is added, averaged
 * or cast later must handle its ends.
 */
type IntegerOptions = WholeOptions & Required<Pick<WholeOptions, 'min' | 'max'>>;

/** The range of a number, as OpenAPI shows it; the limits of the number type are left out. */
const bounds = ({ min, max }: { min?: number; max?: number }): FieldSchema => ({
  ...(min === undefined || min === Number.MIN_SAFE_INTEGER ? {} : { minimum: min }),
  ...(max === undefined || max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }),
});

/** The range of a parameter whose own rule limits it, with its own message. */
export const ANY_WHOLE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

/** An integer within a range, also as a string of digits. */
export const Integer = (options: IntegerOptions): PropertyDecorator => whole(options);

/**
 * An id or number of an object, which is compared and never calculated with: none is beyond the range of safe
 * integers.
 */
export const Id = (options: Omit<WholeOptions, 'max'> = {}): PropertyDecorator => whole(options);

/**
 * The id of an object for which people may also send its name, where only the id is supported: a name matches
 * nothing (404) instead of being invalid.
 */
export const IdAlone = (): PropertyDecorator => whole({ otherwise: 0 });

/** An integer of a response: it comes from us. */
export const Count = (options: WholeOptions = {}): PropertyDecorator => whole(options);

function whole(options: WholeOptions & { readonly otherwise?: number }): PropertyDecorator {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, rangeText = texts.value } = options;
  return scalar(options, {
    blankIsNull: true,
    coerce: (raw) => {
      const value =
        typeof raw === 'number'
          ? raw
          : typeof raw === 'string' && /^[+-]?\d{1,30}$/.test(raw)
            ? Number(raw)
            : NaN;
      if (!Number.isInteger(value)) return options.otherwise ?? new Problem(texts.invalid);
      return value < min || value > max ? new Problem(rangeText) : value;
    },
    check: (value) => (Number.isInteger(value) ? null : 'is not an integer'),
    schema: () => ({ type: 'integer', ...bounds(options) }),
  });
}

interface DecimalOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
}

/** Larger numbers are meaningless, and results from them (sums, averages) have no limit. */
const MAX_DECIMAL = 1e15;

/** A number with or without a fraction. */
export function Decimal(options: DecimalOptions = {}): PropertyDecorator {
  const { min = -MAX_DECIMAL, max = MAX_DECIMAL } = options;
  return scalar(options, {
    blankIsNull: true,
    coerce: (raw) => {
      const value =
        typeof raw === 'number'
          ? raw
          : typeof raw === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(raw)
            ? Number(raw)
            : NaN;
      if (!Number.isFinite(value)) return new Problem(texts.invalid);
      return value < min || value > max ? new Problem(texts.value) : value;
    },
    check: (value) => (typeof value === 'number' && Number.isFinite(value) ? null : 'is not a number'),
    schema: () => ({ type: 'number', ...bounds(options) }),
  });
}

const flags = new Map<string, boolean>([
  ...['true', 't', '1', 'y', 'yes', 'on'].map((text) => [text, true] as const),
  ...['false', 'f', '0', 'n', 'no', 'off'].map((text) => [text, false] as const),
]);

interface FlagOptions extends FieldOptions {
  /** Message for a blank where a value is required; default "is invalid". */
  readonly blankText?: string;
  /** Null means the default, not false. */
  readonly nullIsDefault?: true;
}

/** A boolean, in every spelling that v4 clients send. */
export function Flag(options: FlagOptions = {}): PropertyDecorator {
  return scalar(options, {
    blankIsNull: true,
    ...(options.nullIsDefault ? {} : { onNull: 'false' as const }),
    coerce: (raw) => {
      if (raw === '') return new Problem(options.blankText ?? texts.invalid);
      if (typeof raw === 'boolean') return raw;
      const key = typeof raw === 'number' ? String(raw) : raw;
      const value = typeof key === 'string' && key.length < 6 ? flags.get(key.toLowerCase()) : undefined;
      return value ?? new Problem(texts.invalid);
    },
    check: (value) => (typeof value === 'boolean' ? null : 'is not a boolean'),
    schema: () => ({ type: 'boolean' }),
  });
}

/** One of a closed list of strings or numbers. */
export function OneOf(values: readonly (string | number)[], options: FieldOptions = {}): PropertyDecorator {
  const byText = new Map<string, string | number>(values.map((value) => [String(value), value]));
  return scalar(options, {
    coerce: (raw) =>
      typeof raw === 'object'
        ? new Problem(texts.invalid)
        : (byText.get(typeof raw === 'string' ? raw : JSON.stringify(raw)) ?? new Problem(texts.value)),
    check: (value) => (values.includes(value as string) ? null : `is not one of ${values.join(', ')}`),
    schema: () => ({ type: typeof values[0] === 'number' ? 'integer' : 'string', enum: [...values] }),
  });
}

/** The years that PostgreSQL and every client support. */
const representable = (date: Date): boolean => date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999;

/** Characters of a time. */
const MAX_TIME = 40;

/** A plus sign that was decoded as a space in a URL (`api-v4.md` 8.2). Takes the square of the length: hours for a body of megabytes. */
const LOST_PLUS = /T\d\d:\d\d\S* \d\d:?\d\d$/i;

const notATime = (raw: unknown): Problem =>
  new Problem(
    typeof raw === 'string' && raw.length <= MAX_TIME && LOST_PLUS.test(raw) ? texts.lostPlus : texts.invalid,
  );

/**
 * A point in time: ISO 8601 as input, a Date internally, ISO 8601 with milliseconds and Z as output. With
 * `refusesNull`, null and blank do not count as missing.
 */
export function IsoTime({
  refusesNull = false,
  ...options
}: FieldOptions & { readonly refusesNull?: boolean } = {}): PropertyDecorator {
  return scalar(options, {
    ...(refusesNull ? { onNull: 'problem' as const } : { blankIsNull: true as const }),
    coerce: (raw) => {
      if (typeof raw !== 'string' || raw.length > MAX_TIME || !isISO8601(raw, { strict: true }))
        return notATime(raw);
      const text = /[tT ]\d/.test(raw) && !/([zZ]|[+-]\d\d:?(\d\d)?)$/.test(raw) ? `${raw}Z` : raw;
      const date = new Date(text);
      return Number.isNaN(date.getTime()) || !representable(date) ? new Problem(texts.invalid) : date;
    },
    check: (value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
        ? null
        : 'is not a time',
    schema: () => ({ type: 'string', format: 'date-time' }),
  });
}

/** A calendar day, `YYYY-MM-DD`, kept as a string. */
export function IsoDate(options: FieldOptions = {}): PropertyDecorator {
  return scalar(options, {
    blankIsNull: true,
    coerce: (raw) => {
      if (typeof raw !== 'string' || !/^\d{4}-\d\d-\d\d($|T)/.test(raw) || raw.length > MAX_TIME)
        return new Problem(texts.invalid);
      const day = raw.slice(0, 10);
      return isISO8601(raw, { strict: true }) && day >= '0001-01-01' ? day : notATime(raw);
    },
    check: (value) => (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? null : 'is not a date'),
    schema: () => ({ type: 'string', format: 'date' }),
  });
}

/** Any JSON value, unchanged: for settings without a fixed structure and for details of records. */
export function Anything(options: FieldOptions = {}): PropertyDecorator {
  return scalar(options, { coerce: (raw) => raw, check: () => null, schema: () => ({}) });
}
