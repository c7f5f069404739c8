import {
  NestedProblem,
  Problem,
  type FieldSpec,
  fieldsOf,
  type FieldClass,
} from '#kernel/http/fields/field-spec.js';

/** A number that JSON can say and a double cannot hold; replaced in the text, since no value is written like it. */
export const OVERFLOW = '@@1e400@@';

/**
 * Returns a JSON text in which the marks of impossible numbers are replaced by these, and names by new ones.
 */
export const toJson = (body: unknown, serial: number): string =>
  JSON.stringify(body)
    .replaceAll(`"${OVERFLOW}"`, '1e400')
    .replaceAll('"x1"', `"x${serial}"`)
    .replaceAll('user@example.com', `user${serial}@example.com`);

const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);

/** Values that clients may send as any parameter. */
export const HOSTILE_VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  empty: '',
  blank: '   ',
  array: ['a'],
  hash: { a: 1 },
  'array of hashes': [{ a: 1 }],
  'array of null': [null],
  'array of arrays': [['a']],
  deep: nested(60),
  prototype: JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1}}') as unknown,
  true: true,
  zero: 0,
  negative: -1,
  fraction: 1.5,
  'int2 overflow': 32_768,
  'int4 overflow': 2_147_483_648,
  'int4 underflow': -2_147_483_649,
  'safe integer': Number.MAX_SAFE_INTEGER,
  'beyond safe': '9007199254740993',
  'int8 overflow': '9223372036854775808',
  huge: 1e30,
  overflow: OVERFLOW,
  NaN: 'NaN',
  Infinity: '-Infinity',
  'thirty digits': '9'.repeat(30),
  text: 'zzz',
  NUL: 'a\0b',
  'lone surrogate': 'a\ud800b',
  surrogates: '\u{1F4A9}'.repeat(100),
  controls: 'a\r\nSet-Cookie: x=1\u202e\u0007',
  markup: `'"><script>alert(1)</script>;drop table users;--`,
  pattern: '%_\\%(((((a+)+)+$[[[',
  traversal: '../../../etc/passwd',
  option: '--upload-pack=/bin/true',
  'long text': 'x'.repeat(9_000),
  'long index key': Array.from({ length: 400 }, (_, index) => String.fromCharCode(0x4e00 + index * 7))
    .join('')
    .repeat(20),
  'year 0': '0000-01-01T00:00:00Z',
  'year 10000': '+010000-01-01T00:00:00Z',
  'day 30': '2024-02-30',
  'no time': '25:61:61',
  'last day': '9999-12-31',
  'first day': '0001-01-01',
};

/** Values that clients may send as a part of a path, already encoded. */
export const HOSTILE_SEGMENTS = [
  '0',
  '-1',
  '9223372036854775808',
  '2147483648',
  '999999999',
  '1e30',
  'null',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'a%2Fb%2F',
  'a%00b',
  '%ED%9F%BF%F0%9F%92%A9',
  '%27%3Bdrop%20table%20users%3B--',
  '__proto__',
  'x'.repeat(300),
] as const;

/**
 * Valid values for attributes of that name; other attributes get the first candidate that their field
 * accepts.
 */
const NAMED: Readonly<Record<string, unknown>> = {
  access_level: 30,
  before: '2020-01-01T00:00:00Z',
  color: '#ffaabb',
  duration: '1h',
  email: 'user@example.com',
  expires_at: '2030-01-01',
  group: 'foreign',
  group_access: 30,
  group_id: 201,
  group_path: 'here',
  key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAP6vQElQ2OUQLKavQnocgydng92QWJ2cGXWogRKvEjR walk@walk',
  namespace: 'foreign',
  namespace_id: 201,
  password: 'correct horse battery 9',
  ref: 'main',
  scopes: ['read_repository'],
  sha: 'a'.repeat(40),
  status: 'running',
  to_project_id: 301,
  user_id: 103,
};

/** Optional attributes that are needed to create something. */
const ALWAYS = new Set(['key', 'namespace_id', 'password', 'user_id']);

const CANDIDATES: readonly unknown[] = [
  'x1',
  1,
  true,
  'user@example.com',
  'https://example.com',
  'a'.repeat(40),
  '2030-01-01T00:00:00Z',
  '2030-01-01',
  '0 1 * * *',
  'correct horse battery 9',
  [],
  {},
];

const refused = (value: unknown): boolean => value instanceof Problem || value instanceof NestedProblem;

/** Returns a value that the field accepts. */
export function sample(field: FieldSpec): unknown {
  const schema = field.schema();
  if (Array.isArray(schema['enum']) && !Object.hasOwn(NAMED, field.name)) return schema['enum'][0];
  if (field.nested && schema['type'] === 'array') return [sampleOf(field.nested())];
  if (field.nested) return sampleOf(field.nested());
  const numbers = [schema['minimum'], schema['maximum']].filter((one) => typeof one === 'number');
  const named = Object.hasOwn(NAMED, field.name) ? [NAMED[field.name], ['api']] : [];
  return [...named, ...CANDIDATES, ...numbers].find((value) => !refused(field.coerce(value, field.name)));
}

/** Returns the minimum values of a class of parameters, for creating or changing something. */
export const sampleOf = (type: FieldClass, isNew = true): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(type)
      .filter(({ options, name }) => !options.optional || (isNew && ALWAYS.has(name)))
      .map((field) => [field.name, sample(field)]),
  );

/** Returns the hostile values that the field accepts, which reach the code behind it. */
export const accepted = (field: FieldSpec): [string, unknown][] =>
  Object.entries(HOSTILE_VALUES).filter(([, value]) => {
    if (value === null) return field.options.nullable === true;
    const raw = value === OVERFLOW ? Infinity : value;
    return !refused(field.coerce(raw, field.name));
  });

const NUMBERS = [
  0,
  -1,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  1e15,
  1e308,
];
const TIMES = [
  '0001-01-01T00:00:00Z',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  'infinity',
  '-infinity',
];
const DAYS = ['0001-01-01', '1970-01-01', '9999-12-31', 'infinity'];
const DURATIONS = ['99999999y', '-99999999y', '0', '1e308', '999999999999 years', '9'.repeat(40)];

/**
 * Returns the ends of the range of a field for numbers, times or durations, and the values beyond; nothing
 * for others.
 */
export function endsOf(field: FieldSpec): unknown[] {
  const schema = field.schema();
  const { type, format, minimum, maximum } = schema;
  if (field.nested) {
    const inner = sampleOf(field.nested());
    const all = fieldsOf(field.nested()).flatMap((one) =>
      endsOf(one).map((end) => ({ ...inner, [one.name]: end })),
    );
    return type === 'array' ? all.map((one) => [one]) : all;
  }
  if (format === 'date-time') return TIMES;
  if (format === 'date') return DAYS;
  if (/duration|expire_in|timeout|interval|period/.test(field.name)) return [...DURATIONS, ...NUMBERS];
  if (type !== 'integer' && type !== 'number') return [];
  const ends = [minimum, maximum].filter((one) => typeof one === 'number');
  return [...ends.flatMap((end) => [end - 1, end, end + 1]), ...NUMBERS];
}

/** A query string of a value, arrays and hashes in brackets; what has no encoding is sent as its bytes would be. */
export function toQuery(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => toQuery(`${name}[]`, one)).join('&');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, one]) => toQuery(`${name}[${key}]`, one))
      .join('&');
  const text =
    value === OVERFLOW
      ? '1e400'
      : value === null
        ? ''
        : typeof value === 'string'
          ? value
          : JSON.stringify(value);
  return `${name}=${text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'}`;
}
