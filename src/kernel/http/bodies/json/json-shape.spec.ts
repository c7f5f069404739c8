import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonShape } from './json-shape.js';

/** Reference implementation that looks at each byte. */
function plainly(json: string): { values: number; isTooDeep: boolean } {
  const bare = json.replace(/"(?:[^"\\]|\\[^])*("|\\?$)/g, '');
  let [depth, deepest] = [0, 0];
  for (const sign of bare) {
    if ('[{'.includes(sign)) depth += 1;
    if (']}'.includes(sign)) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return { values: 1 + (bare.match(/[,[{]/g)?.length ?? 0), isTooDeep: deepest > 100 };
}

it('the shape of JSON is determined without parsing, whatever strings contain', () => {
  const part = fc.constantFrom(
    '"',
    '\\',
    '\\"',
    '[',
    ']',
    '{',
    '}',
    ',',
    'a',
    'b'.repeat(70),
    '\\\\'.repeat(40),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const json = parts.join('');
      expect(jsonShape(Buffer.from(json))).toEqual(plainly(json));
    }),
    { numRuns: 1_000 },
  );
});

it('the shape of JSON is read no further than necessary', () => {
  expect(jsonShape(Buffer.from('[1,2,3,4,5]'), 3)).toEqual({ values: 3, isTooDeep: false });
  expect(jsonShape(Buffer.from('['.repeat(200))).isTooDeep).toBe(true);
  expect(jsonShape(Buffer.from('['.repeat(100))).isTooDeep).toBe(false);
});
