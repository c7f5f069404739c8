import { describe, expect, it } from '@jest/globals';
import { labelNamesIn, milestoneTitleIn, userNamesIn } from './parsing/name-lists.js';
import { referenceIn } from './parsing/references.js';

const BASE = 'https://forge.example/base';

describe('names in commands', () => {
  it('are those of labels, with and without tilde and quotes', () => {
    expect(labelNamesIn(`~bug ~"two words" plain, ~'x y' ~a::b ~"open`)).toEqual([
      'bug',
      'two words',
      'plain',
      'x y',
      'a::b',
      'open',
    ]);
    expect(labelNamesIn(' ~ , "" ')).toEqual([]);
    expect(labelNamesIn('~a '.repeat(1_000))).toHaveLength(200);
  });

  it('are found in time proportional to the text, whatever it contains', () => {
    const count = 1_000_000;
    const started = performance.now();
    expect(labelNamesIn('~'.repeat(count))).toEqual([]);
    expect(labelNamesIn(`${'~'.repeat(count)}bug`)).toEqual(['bug']);
    expect(labelNamesIn('"'.repeat(count))).toEqual([]);
    for (const piece of ['~"', `'"`, `'a`, '~a'])
      expect(labelNamesIn(piece.repeat(count / 2))).toHaveLength(200);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('are those of users and milestones', () => {
    expect(userNamesIn('@Ada, bob  @me')).toEqual(['ada', 'bob', 'me']);
    expect(['%v1', '%"two words"', 'two words', '%'].map(milestoneTitleIn)).toEqual([
      'v1',
      'two words',
      'two words',
      '',
    ]);
  });

  it('can be references: short, full and as URLs', () => {
    expect(referenceIn('#5', '#', BASE)).toEqual({ path: null, iid: 5 });
    expect(referenceIn('5', '#', BASE)).toEqual({ path: null, iid: 5 });
    expect(referenceIn('a/b!7', '!', BASE)).toEqual({ path: 'a/b', iid: 7 });
    expect(referenceIn('shop&2', '&', BASE)).toEqual({ path: 'shop', iid: 2 });
    expect(referenceIn(`${BASE}/groups/a/b/-/epics/3`, '&', BASE)).toEqual({ path: 'a/b', iid: 3 });
    expect(referenceIn(`${BASE}/a/b/-/issues/3#note_1`, '#', BASE)).toEqual({ path: 'a/b', iid: 3 });
  });

  it('are not references otherwise', () => {
    const none = [
      '',
      '#',
      '#x',
      'a b#1',
      '!1',
      `${BASE}/a/b/-/epics/3`,
      'https://other/a/-/issues/3',
      '#1 x',
    ];
    expect(none.map((text) => referenceIn(text, '#', BASE))).toEqual(none.map(() => null));
  });
});
