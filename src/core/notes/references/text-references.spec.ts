import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyOf, MAX_REFERENCES, mayHoldReferences, textReferences } from './text-references.js';

const BASE = 'https://forge.example.com/sub';
const found = (text: string): string[] => textReferences(text, BASE).map(keyOf);

describe('references in a text', () => {
  it.each([
    ['See #1, !2 and &3', ['#1', '!2', '&3']],
    ['(#1) *#2* "#3": #4.', ['#1', '#2', '#3', '#4']],
    ['shop/web#1, web!2 and shop/sub&3', ['shop/web#1', 'web!2', 'shop/sub&3']],
    ['Shop/Web#1 shop/web#1', ['shop/web#1']],
    [`${BASE}/shop/web/-/issues/7`, ['shop/web#7']],
    [`[x](${BASE}/shop/web/-/merge_requests/8/diffs?w=1#note_5), and #1`, ['shop/web!8', '#1']],
    [`HTTPS://Forge.Example.com/sub/groups/shop/sub/-/epics/9.`, ['shop/sub&9']],
    [`${BASE}/groups/shop/-/issues/7 ${BASE}/shop/-/epics/7`, []],
    ['https://elsewhere.example.com/shop/web/-/issues/7#1 http://x.example.com/?a=1&3!4', []],
    ['a#b #1a word_#1x &#39; \\#5 ada@example.com#1 C## #', []],
    ['`#1` ``!2 ` &3``\n```\n#4\n```\n~~~\n!5\n~~~\n<!-- #6 -->#7', ['#7']],
    ['', []],
  ])('finds in %j %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const reference = fc.record({
    path: fc.option(path),
    sign: fc.constantFrom('#' as const, '!' as const, '&' as const),
    iid: fc.integer({ min: 0, max: 999_999_999 }),
  });

  it('are found again in any spelling', () => {
    const word = fc.constantFrom(' ', ', ', ' and ', '\n', ' (', ' * ', '; ');
    const pages = { '#': 'issues', '!': 'merge_requests', '&': 'epics' } as const;
    fc.assert(
      fc.property(fc.array(fc.tuple(reference, word, fc.boolean()), { maxLength: 30 }), (items) => {
        const texts = items.map(([one, between, asUrl]) => {
          const group = one.sign === '&' ? 'groups/' : '';
          const url = `${BASE}/${group}${one.path ?? ''}/-/${pages[one.sign]}/${one.iid}`;
          return between + (asUrl && one.path !== null ? url : keyOf(one));
        });
        expect(found(texts.join(''))).toEqual([...new Set(items.map(([one]) => keyOf(one)))]);
      }),
    );
  });

  it('are not found in code', () => {
    fc.assert(
      fc.property(fc.array(reference), fc.integer({ min: 1, max: 4 }), (items, ticks) => {
        const fence = '`'.repeat(ticks);
        const text = items.map(keyOf).join(' ');
        expect(found(ticks > 2 ? `${fence}\n${text}\n${fence}` : `a ${fence}${text} ${fence} b`)).toEqual([]);
      }),
    );
  });

  it('are found in any text without an error, and never if the quick check finds none', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('#', '!', '&', '1', 'a', '/', '`', '\n', '-', ' ', '~', 'é') }),
        (text) => {
          const all = found(text);
          expect(all.length === 0 || mayHoldReferences(text)).toBe(true);
          for (const key of all) expect(key).toMatch(/^[\w./-]*[#!&]\d{1,15}$/);
        },
      ),
    );
  });

  it('are limited to a hundred, and take a short time in hostile texts', () => {
    expect(found(Array.from({ length: 200 }, (_, index) => `#${index}`).join(' '))).toHaveLength(
      MAX_REFERENCES,
    );
    for (const piece of [
      'a/',
      'a.',
      '#',
      'a#',
      '`',
      '``` ',
      '<!--',
      'https://',
      `${BASE}/a/-/`,
      'a/b#x ',
      '(a',
      '&a&',
    ])
      expect(found(`#1\n${piece.repeat(100_000)}`).length).toBeLessThanOrEqual(1);
  });
});
