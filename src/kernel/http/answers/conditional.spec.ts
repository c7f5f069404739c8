import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertUnmodifiedSince, entityTag, isUnmodified } from './conditional.js';

describe('entity tags', () => {
  it('are equal only for the same text, and found in any list', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.array(fc.stringMatching(/^[0-9a-f]*$/)),
        (one, other, tags) => {
          expect(entityTag(one) === entityTag(other)).toBe(one === other);
          const tag = entityTag(one);
          const list = [...tags.map((text) => `"x${text}"`), tag.replace('W/', '')].join(', ');
          expect(isUnmodified(list, tag)).toBe(true);
          expect(isUnmodified(tags.map((text) => `"x${text}"`).join(','), tag)).toBe(false);
        },
      ),
      { numRuns: 50 },
    );
    expect([isUnmodified('*', 'W/"a"'), isUnmodified(undefined, 'W/"a"'), isUnmodified('', 'W/"a"')]).toEqual(
      [true, false, false],
    );
  });
});

describe('If-Unmodified-Since', () => {
  it('refuses exactly what changed in a later second', () => {
    const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(date, date, (limit, changed) => {
        const isLater = Math.floor(changed.getTime() / 1000) > Math.floor(limit.getTime() / 1000);
        const check = (): void => assertUnmodifiedSince(limit.toUTCString(), changed);
        if (isLater) expect(check).toThrow('412 Precondition Failed');
        else expect(check).not.toThrow();
      }),
    );
    for (const header of [undefined, '', 'yesterday', ['Wed, 01 May 2024 12:00:00 GMT']])
      expect(() => assertUnmodifiedSince(header, new Date())).not.toThrow();
  });
});
