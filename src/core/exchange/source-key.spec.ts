import { describe, expect, it } from '@jest/globals';
import { sourceKey, sourceTitle } from '../exchange/source-key.js';

const DIGEST = /^[0-9a-f]{64}$/;

describe('the key of a record', () => {
  it('is the first identifying attribute that it has', () => {
    expect(sourceKey({ id: 5, iid: 3 }, 'id', 'iid')).toBe('5');
    expect(sourceKey({ id: null, iid: 3 }, 'id', 'iid')).toBe('iid:3');
    expect(sourceKey({ id: 0.5, name: 'main' }, 'id', 'name')).toBe('name:main');
    expect(sourceKey({ id: 5, name: 'main' }, 'name', 'id')).toBe('main');
  });

  it('is short and readable, and distinguishes long or unusual values', () => {
    const [one, other] = ['a', 'b'].map((end) => sourceKey({ name: 'x'.repeat(5_000) + end }, 'name'));
    expect([one, other]).toEqual([expect.stringMatching(DIGEST), expect.stringMatching(DIGEST)]);
    expect(one).not.toBe(other);
    expect(sourceKey({ name: 'a\0\ud800' }, 'name')).toMatch(DIGEST);
  });

  it('consists of all values of a record without an identifying attribute', () => {
    expect(sourceKey({ name: '', note: 'a' }, 'name')).toMatch(DIGEST);
    expect(sourceKey({ note: 'a' }, 'name')).not.toBe(sourceKey({ note: 'b' }, 'name'));
  });
});

describe('the title of a record', () => {
  it('is the first text or number, without characters that cannot be stored', () => {
    expect(sourceTitle({ title: 'A\0\ud800' }, 'title', 'iid')).toBe('A\ufffd');
    expect(sourceTitle({ title: null, iid: 3 }, 'title', 'iid')).toBe('3');
    expect(sourceTitle({ title: '' }, 'title')).toBeNull();
    expect(sourceTitle({ title: {} }, 'title')).toBeNull();
  });
});
