import { describe, expect, it } from '@jest/globals';
import { findSplitSecret } from './split-secret.js';

const SECRET = 'glcbt-abcdefghijklmnopqrstuv';
const look = (before: string, after: string): unknown =>
  findSplitSecret(Buffer.from(before), Buffer.from(after), SECRET);
const x = (count: number): string => 'x'.repeat(count);

describe('the boundary between two chunks of a trace', () => {
  it('leaves what follows a masked secret unchanged', () => {
    for (const next of SECRET) expect(look(`ab${x(SECRET.length)}`, `${next}d`)).toBeNull();
  });

  it('masks the rest of a secret whose beginning was masked', () => {
    for (let known = 10; known < SECRET.length; known += 1) {
      const rest = SECRET.slice(known);
      const found = { before: known, after: rest.length };
      expect(look(`ab${x(known)}`, `${rest}cd`)).toEqual(found);
      expect(look(`ab${x(SECRET.length)}${x(known)}`, `${rest}cd`)).toEqual(found);
    }
  });

  it('masks a secret of which only the beginning has arrived', () => {
    expect(look(`ab${SECRET.slice(0, 4)}`, `${SECRET.slice(4)}cd`)).toEqual({
      before: 4,
      after: SECRET.length - 4,
    });
    expect(look('ab', 'cd')).toBeNull();
  });
});
