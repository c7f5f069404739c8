import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ImportLimits } from '../../import-limits.js';
import { countValues } from '#kernel/http/bodies/json/json-values.js';
import { parseLine } from './parse-line.js';

const parse = (text: string, changed: Partial<ImportLimits> = {}): unknown =>
  parseLine({ number: 7, line: Buffer.from(text) }, Object.assign(new ImportLimits(), changed));

describe('a line of a source', () => {
  it('is an object, or is refused with its number', () => {
    expect(parse('{"id":1}')).toEqual({ id: 1 });
    for (const text of ['', '[]', '1', 'null', '{', '"{}"', '{"a":1}{"b":2}'])
      expect(() => parse(text)).toThrow('Line 7 is not a JSON object');
    expect(() => parse(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`)).toThrow('Line 7 is nested too deeply');
    expect(() => parseLine({ number: 2, line: null }, new ImportLimits())).toThrow('Line 2 is longer than');
  });

  it('is refused if it has too many values, wherever commas are in texts', () => {
    const many = `{"a":[${'[],'.repeat(200_000)}0]}`;
    expect(() => parse(many, { lineValues: 1_000 })).toThrow('Line 7 holds too many values');
    expect(parse(`{"a":"${',[{'.repeat(200_000)}"}`, { lineValues: 1_000 })).toHaveProperty('a');
  });

  it('contains at most as many values as are counted', () => {
    const valuesIn = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce((sum: number, each) => sum + valuesIn(each), 1)
        : 1;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(countValues(Buffer.from(JSON.stringify(value)), 1e9)).toBeGreaterThanOrEqual(valuesIn(value));
      }),
    );
  });
});
