import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rowFields } from './row-parser.js';

/** A row as PostgreSQL sends it (frontend/backend protocol, DataRow), after its length. */
function encode(fields: readonly (string | null)[]): Buffer {
  const parts = fields.map((field) => {
    const bytes = field === null ? null : Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes ? bytes.length : -1);
    return bytes ? Buffer.concat([length, bytes]) : length;
  });
  const count = Buffer.alloc(2);
  count.writeUInt16BE(fields.length);
  return Buffer.concat([count, ...parts]);
}

const field = fc.option(
  fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.constantFrom('', 'ÿ', 'Ä'.repeat(97), 'a'.repeat(194), 'a'.repeat(244), 'a'.repeat(65_536)),
  ),
);

describe('rowFields', () => {
  it('parses every row, wherever it is in the bytes', () => {
    fc.assert(
      fc.property(fc.array(field, { maxLength: 40 }), fc.nat(20), fc.nat(20), (fields, before, after) => {
        // Lone surrogates have no UTF-8 form: PostgreSQL cannot send them.
        const sent = fields.map((one) => one?.toWellFormed() ?? null);
        const row = encode(sent);
        const bytes = Buffer.concat([Buffer.alloc(before, 0xc3), row, Buffer.alloc(after, 0xa4)]);
        expect(rowFields(bytes, before, before + row.length)).toEqual(sent);
      }),
    );
  });
});
