import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ImportLimits } from '../../import-limits.js';
import { countValues } from '#kernel/http/bodies/json/json-values.js';
import { longestOwnStop } from '../../../../../../test/support/longest-stop.js';
import { parseLine } from './parse-line.js';

const parse = (text: string, changed: Partial<ImportLimits> = {}): Promise<unknown> =>
  parseLine({ number: 7, line: Buffer.from(text) }, Object.assign(new ImportLimits(), changed));

describe('a line of a source', () => {
  it('is an object, or is refused with its number', async () => {
    expect(await parse('{"id":1}')).toEqual({ id: 1 });
    for (const text of ['', '[]', '1', 'null', '{', '"{}"', '{"a":1}{"b":2}'])
      await expect(parse(text)).rejects.toThrow('Line 7 is not a JSON object');
    const deep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`;
    await expect(parse(deep)).rejects.toThrow('Line 7 is nested too deeply');
    const long = parseLine({ number: 2, line: null }, new ImportLimits());
    await expect(long).rejects.toThrow('Line 2 is longer than');
  });

  it('is refused if it has too many values, wherever commas are in texts', async () => {
    const many = `{"a":[${'[],'.repeat(200_000)}0]}`;
    await expect(parse(many, { lineValues: 1_000 })).rejects.toThrow('Line 7 holds too many values');
    expect(await parse(`{"a":"${',[{'.repeat(200_000)}"}`, { lineValues: 1_000 })).toHaveProperty('a');
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

  it('of the largest size and number of values does not stop the process', async () => {
    const lines = [
      `{${Array.from({ length: 99_000 }, (_, at) => `"k${at}":"${'x'.repeat(400)}"`).join(',')}}`,
      `{"a":[${`"${'x'.repeat(47)}",`.repeat(900_000)}0]}`,
      `{"a":"${'\\u0001'.repeat(8_000_000)}"}`,
    ].map((text) => Buffer.from(text));
    for (const line of lines)
      expect(
        await longestOwnStop(400, () => parseLine({ number: 1, line }, new ImportLimits())),
      ).toBeLessThan(400);
  });
});
