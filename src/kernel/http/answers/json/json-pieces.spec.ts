import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDivisible, jsonPieces } from './json-pieces.js';

it('pieces of JSON join to the same JSON', () => {
  const value = fc.anything({
    maxDepth: 3,
    withDate: true,
    values: [fc.string(), fc.integer(), fc.constant(undefined)],
  });
  const lists = fc.array(value, { maxLength: 30 });
  const body = fc.oneof(lists, fc.dictionary(fc.string(), fc.oneof(value, lists)));
  fc.assert(fc.property(body, (one) => [...jsonPieces(one)].join('') === JSON.stringify(one)));
});

it('pieces of JSON are only used for long lists', () => {
  const long = Array.from({ length: 11 }, () => 1);
  const short = { a: 1, labels: ['a'] };
  expect([[short, short], { ...short, long }].map(isDivisible)).toEqual([true, true]);
  expect([null, 'a', [], [1], short, { long, toJSON: () => 1 }].map(isDivisible)).toEqual(
    Array.from({ length: 6 }, () => false),
  );
});
