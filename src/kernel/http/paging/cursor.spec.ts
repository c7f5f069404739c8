import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './cursor.js';

describe('cursors', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0') && one.isWellFormed());

  it('can be decoded again', () => {
    fc.assert(
      fc.property(
        text,
        fc.maxSafeInteger(),
        fc.constantFrom('asc' as const, 'desc' as const),
        (name, id, sort) => {
          const cursor = { order: 'name', sort, values: [name, id] };
          const encoded = encodeCursor(cursor);
          expect(encoded).toMatch(/^[\w-]*$/);
          expect(decodeCursor(encoded, 'name', sort, ['text', 'bigint'])).toEqual(cursor);
          expect(
            decodeCursor(encoded, 'name', sort === 'asc' ? 'desc' : 'asc', ['text', 'bigint']),
          ).toBeNull();
          expect(decodeCursor(encoded, 'id', sort, ['text', 'bigint'])).toBeNull();
          expect(decodeCursor(encoded, 'name', sort, ['bigint', 'text'])).toBeNull();
          expect(decodeCursor(encoded, 'name', sort, ['text'])).toBeNull();
        },
      ),
    );
  });

  it('are null for any other text, without an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (any) => {
        expect(decodeCursor(any, 'id', 'asc', ['bigint'])).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.json(), (json) => {
        const encoded = Buffer.from(json).toString('base64url');
        expect(decodeCursor(encoded, 'id', 'asc', ['bigint'])).toBeNull();
      }),
    );
  });
});
