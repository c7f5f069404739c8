import { describe, expect, it } from '@jest/globals';
import { withoutLineEnds } from './line-ends.js';

describe('withoutLineEnds', () => {
  it.each([
    ['', ''],
    ['\n\n', ''],
    ['a', 'a'],
    ['\na\n\nb\n\n', '\na\n\nb'],
    ['a \n', 'a '],
  ])('of %j is %j', (text, expected) => expect(withoutLineEnds(text)).toBe(expected));
});
