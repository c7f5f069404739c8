import { describe, expect, it } from '@jest/globals';
import { closingReferences } from './closing-references.js';
import { isDraftTitle } from '../writes/draft-title.js';

const BASE = 'https://forge.example.com';
const found = (text: string): string[] =>
  closingReferences(text, BASE).map(({ path, iid }) => `${path ?? ''}#${iid}`);

describe('issues that a text closes', () => {
  it.each([
    ['Closes #1', ['#1']],
    ['closes: #1, #2 and #3', ['#1', '#2', '#3']],
    ['Fixes issue #4, shop/web#5 and web#6', ['#4', 'shop/web#5', 'web#6']],
    ['Resolved https://forge.example.com/shop/web/-/issues/7', ['shop/web#7']],
    ['Fix #1. This also implements #2', ['#1', '#2']],
    ['Closes #1, closes #1', ['#1']],
    ['See #1, encloses #2, closes the door on #3', []],
    ['Closes https://elsewhere.example.com/shop/web/-/issues/7', []],
    ['`Closes #1`\n```\nCloses #2\n```\nCloses #3', ['#3']],
    ['~~~\nCloses #1', []],
  ])('finds in %j %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('takes a short time for hostile texts, and stops at a hundred references', () => {
    const start = Date.now();
    found(`#1 ${'closes '.repeat(100_000)}`);
    found(`#1 ${'closes a/a/'.repeat(50_000)}`);
    found(`#1 ${'`'.repeat(500_000)}`);
    found(`#1\n${'```\n'.repeat(100_000)}`);
    found(`closes #1${' '.repeat(200_000)}x`);
    expect(Date.now() - start).toBeLessThan(3_000);
    expect(found(Array.from({ length: 200 }, (_, index) => `closes #${index}`).join('\n'))).toHaveLength(100);
  });
});

describe('draft titles', () => {
  it.each(['Draft: x', 'draft:x', '[Draft] x', ' (DRAFT) x'])('%j is a draft', (title) => {
    expect(isDraftTitle(title)).toBe(true);
  });
  it.each(['Drafting x', 'WIP: x', 'A draft: x'])('%j is not a draft', (title) => {
    expect(isDraftTitle(title)).toBe(false);
  });
});
