import { describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { InvalidDotenv, parseDotenv } from './dotenv.js';

const parse = (text: string | Buffer): Record<string, string> =>
  Object.fromEntries(parseDotenv(gzipSync(text)));

describe('dotenv reports', () => {
  it('are parsed line by line', () => {
    expect(parse('A=1\n\nB_2 = two words \r\nC=x=y\nA=again\nD=')).toEqual({
      A: 'again',
      B_2: 'two words',
      C: 'x=y',
      D: '',
    });
    expect(parse('')).toEqual({});
  });

  it.each(['no sign', '=x', 'A B=x', '# A=x', 'Ä=x', 'A=\0', Buffer.from([0x41, 0x3d, 0xff])])(
    'refuse %j',
    (text) => {
      expect(() => parse(text)).toThrow('Invalid Format');
    },
  );

  it('are limited in size and number, however they are compressed', () => {
    expect(() => parse(`A=${'x'.repeat(6000)}`)).toThrow(
      'Dotenv Artifact Too Big. Maximum Allowable Size: 5120',
    );
    expect(() => parse(Buffer.alloc(50_000_000))).toThrow('Too Big');
    expect(() => parse(Array.from({ length: 151 }, (_, index) => `A${index}=`).join('\n'))).toThrow(
      'more than 150 variables',
    );
    expect(() => parseDotenv(Buffer.from('plain'))).toThrow('Invalid Format');
  });

  it('are parsed or refused, whatever they contain', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isPacked) => {
        try {
          parseDotenv(isPacked ? gzipSync(bytes) : Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidDotenv);
        }
      }),
    );
  });
});
