import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bind } from './binder.js';
import { List, ListOf, Nested } from './composite-fields.js';
import { fieldsOf, NestedProblem, Problem } from './field-spec.js';
import { Decimal, Flag, Id, Integer, IsoDate, IsoTime, OneOf, Text } from './scalar-fields.js';
import { anyCharacter } from '../../../../test/support/any-text.js';

class Inner {
  @Text({ maxLength: 5 })
  key!: string;
}

class Everything {
  @Text({ optional: true, maxLength: 20 })
  text?: string;

  @Integer({ optional: true, min: -10, max: 10 })
  integer?: number;

  @Decimal({ optional: true })
  decimal?: number;

  @Flag({ optional: true })
  flag?: boolean;

  @OneOf(['a', 1], { optional: true })
  one?: string;

  @IsoTime({ optional: true })
  time?: Date;

  @IsoDate({ optional: true, nullable: true })
  date?: string | null;

  @List(Id(), { optional: true, commaSeparated: true, maxItems: 3 })
  list?: number[];

  @Nested(() => Inner, { optional: true })
  inner?: Inner;

  @ListOf(() => Inner, { optional: true, maxItems: 3 })
  inners?: Inner[];
}

const fields = new Map(fieldsOf(Everything).map((field) => [field.name, field]));
const coerce = (name: string, raw: unknown): unknown => fields.get(name)?.coerce(raw, name);
const isProblem = (value: unknown): boolean => value instanceof Problem || value instanceof NestedProblem;
const anything = fc.anything({ withNullPrototype: true }).filter((one) => one !== undefined);

describe('fields', () => {
  it('accept or refuse anything, and accepted values pass their own check', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields.values()), anything, (field, raw) => {
        if (raw === null) return;
        const value = field.coerce(raw, field.name);
        if (isProblem(value)) return;
        const sent = JSON.parse(JSON.stringify(value)) as unknown;
        expect([field.name, raw, field.check(sent, field.name)]).toEqual([field.name, raw, null]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('accept whole numbers in their range only, as numbers or digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -30, max: 30 }), (number) => {
        const fits = number >= -10 && number <= 10;
        for (const raw of [number, String(number)])
          expect(coerce('integer', raw)).toEqual(fits ? number : new Problem('does not have a valid value'));
      }),
    );
    for (const raw of [
      '1e1',
      '0x1',
      '1.0',
      ' 1',
      '1 ',
      '--1',
      '',
      '٣',
      1.5,
      NaN,
      Infinity,
      true,
      [1],
      { a: 1 },
      '9'.repeat(31),
    ])
      expect([raw, coerce('integer', raw)]).toEqual([raw, new Problem('is invalid')]);
    expect(coerce('integer', '9'.repeat(30))).toEqual(new Problem('does not have a valid value'));
  });

  it('accept texts that PostgreSQL can store, up to their maximum length', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 30 }), (raw) => {
        const value = coerce('text', raw);
        if (raw.length > 20) expect(value).toEqual(new Problem('is too long (maximum is 20 characters)'));
        else if (raw.includes('\0') || !raw.isWellFormed()) expect(value).toEqual(new Problem('is invalid'));
        else expect(value).toBe(raw);
      }),
    );
  });

  it('parse times of any zone as the same instant, and refuse invalid dates', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
        (date) => {
          expect(coerce('time', date.toISOString())).toEqual(date);
          expect(coerce('date', date.toISOString())).toBe(date.toISOString().slice(0, 10));
        },
      ),
    );
    const noon = new Date('2024-02-29T12:00:00Z');
    for (const raw of [
      '2024-02-29T12:00:00',
      '2024-02-29T13:00:00+01:00',
      '2024-02-29T06:30:00-05:30',
      '2024-02-29 12:00:00',
    ])
      expect([raw, coerce('time', raw)]).toEqual([raw, noon]);
    for (const raw of [
      '2023-02-29',
      '2024-13-01',
      '2024-04-31T00:00:00Z',
      '2024-01-01T25:00:00Z',
      '12:00',
      'now',
      5,
      true,
    ]) {
      expect([raw, coerce('time', raw)]).toEqual([raw, new Problem('is invalid')]);
      expect([raw, coerce('date', raw)]).toEqual([raw, new Problem('is invalid')]);
    }
  });

  it('parse booleans in the forms that v4 clients send', () => {
    const spellings: [unknown[], boolean][] = [
      [[true, 'true', 'TRUE', 't', 'yes', 'Y', 'on', '1', 1], true],
      [[false, 'false', 'F', 'no', 'n', 'off', '0', 0], false],
    ];
    for (const [raws, value] of spellings)
      for (const raw of raws) expect([raw, coerce('flag', raw)]).toEqual([raw, value]);
    for (const raw of ['2', 'maybe', -1, [], [true], {}])
      expect([raw, isProblem(coerce('flag', raw))]).toEqual([raw, true]);
  });

  it('accept a member of an enumeration only with its own type', () => {
    expect([coerce('one', 'a'), coerce('one', 1), coerce('one', '1')]).toEqual(['a', 1, 1]);
    for (const raw of ['A', '', 'b', true, 2, 'constructor'])
      expect(coerce('one', raw)).toEqual(new Problem('does not have a valid value'));
    for (const raw of [['a'], { a: 1 }]) expect(coerce('one', raw)).toEqual(new Problem('is invalid'));
  });

  it('parse lists from arrays and from texts with commas', () => {
    expect(coerce('list', '1,2, 3')).toEqual([1, 2, 3]);
    expect(coerce('list', [1, '2'])).toEqual([1, 2]);
    expect(coerce('list', '')).toEqual([]);
    expect(coerce('list', [''])).toEqual([]);
    for (const raw of [[null], ['x'], [[1]], [{}], [1, 2, 3, 4], { 0: 1 }, 'x'])
      expect(isProblem(coerce('list', raw))).toBe(true);
  });

  it('distinguish an array of hashes from the numbered hash of a query, and from anything else', () => {
    expect(coerce('inners', [{ key: 'a' }])).toEqual([{ key: 'a' }]);
    expect(coerce('inners', { 0: { key: 'a' }, 1: { key: 'b' } })).toEqual([{ key: 'a' }, { key: 'b' }]);
    for (const raw of ['a', [1], [[]], { a: { key: 'x' } }, [{ key: 'toolong' }], [{}]])
      expect(isProblem(coerce('inners', raw))).toBe(true);
  });
});

describe('binding', () => {
  it('never throws, takes nothing from prototypes, and succeeds only with values of the class', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.dictionary(fc.constantFrom(...fields.keys(), '__proto__', 'toString', 'other'), anything),
        ),
        (sources) => {
          const bound = bind(Everything, sources);
          if (!bound.ok) expect(Object.keys(bound.problems).length + bound.missing.length).toBeGreaterThan(0);
          else for (const name of Object.keys(bound.value)) expect(fields.has(name)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('uses the first source that has the name, even with null or a blank', () => {
    expect(bind(Everything, [{ text: 'path' }, { text: 'body' }])).toEqual({
      ok: true,
      value: { text: 'path' },
    });
    expect(bind(Everything, [{ integer: '' }, { integer: 3 }])).toEqual({ ok: true, value: {} });
    expect(bind(Everything, [{ date: '' }])).toEqual({ ok: true, value: { date: null } });
    expect(bind(Everything, [{ one: null }])).toEqual({ ok: true, value: {} });
  });
});
