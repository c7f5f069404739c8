import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonTooLarge, parseInTurns } from './parse-in-turns.js';

const parse = (text: string, maxValues = 10_000_000): Promise<unknown> =>
  parseInTurns(Buffer.from(text), maxValues);

/** Larger than what is parsed at once. */
const LONG = 'x'.repeat(300_000);

describe('JSON that is parsed in turns', () => {
  it('has the values of JSON.parse, or is refused like there', async () => {
    const broken = fc.constantFrom('', ',', ' ', '"', '}', ']', '\\', '[]', '"a":1', ':', '\u00e9', '{', '[');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('list', 'hash'),
        fc.boolean(),
        fc.tuple(broken, fc.integer({ min: 0, max: 20 }), fc.boolean()),
        async (values, kind, isLong, [piece, position, breaks]) => {
          const items = values.flatMap((value) => (isLong ? [value, LONG, [LONG, value]] : [value]));
          const whole =
            kind === 'list' ? items : Object.fromEntries(items.map((item, at) => [`k${at}`, item]));
          let text = JSON.stringify(whole);
          if (breaks) {
            const commas = [...text.matchAll(/[,:[\]{}]/g)].map(({ index }) => index);
            const at = (commas[position % commas.length] ?? 0) + (position % 2);
            text = text.slice(0, at) + piece + text.slice(at);
          }
          let expected: unknown;
          try {
            expected = JSON.parse(text);
          } catch {
            await expect(parse(text)).rejects.toThrow(SyntaxError);
            return;
          }
          expect(await parse(text)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps members of any name, and the last of several with one name', async () => {
    const text = `{"__proto__":{"a":1},"k":1,"l":"${LONG}","k":2,"m":"${LONG}"}`;
    const parsed = (await parse(text)) as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual(['__proto__', 'k', 'l', 'm']);
    expect([Object.getPrototypeOf(parsed), parsed['k']]).toEqual([Object.prototype, 2]);
  });

  it('keeps long texts, wherever they are divided', async () => {
    for (const unit of ['\u{1f600}', '\u00e9', '\\u00e9', '\\ud83d\\ude00', '\\"', 'a\\\\', 'ab\\n'])
      for (const shift of ['', 'a', 'aa', 'aaa', 'aaaa', 'aaaaa']) {
        const text = `["${shift}${unit.repeat(150_000)}"]`;
        expect(((await parse(text)) as string[])[0] === (JSON.parse(text) as string[])[0]).toBe(true);
      }
  });

  it('has limits of values and of depth', async () => {
    const many = `[${'{},'.repeat(200_000)}1]`;
    await expect(parse(many, 100_000)).rejects.toThrow(JsonTooLarge);
    const wide = `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join(',')}}`;
    await expect(parse(wide)).rejects.toThrow(JsonTooLarge);
    const deep = `${'['.repeat(200)}"${LONG}"${']'.repeat(200)}`;
    await expect(parse(deep)).rejects.toThrow(JsonTooLarge);
    await expect(parse(`["${LONG}",${'['.repeat(200)}${']'.repeat(200)}]`)).rejects.toThrow(JsonTooLarge);
  });
});
