import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ArchiveIndexBuilder, type ArchiveIndex } from './archive-index-builder.js';
import { fractionOf, lookIn, pathDigest, RECORD_BYTES } from './archive-index.js';
import { isArtifactPath } from './artifact-path.js';
import { Extents } from './extents.js';
import { anyCharacter } from '../../../../../test/support/any-text.js';

async function indexOf(paths: readonly string[]): Promise<ArchiveIndex> {
  const builder = new ArchiveIndexBuilder();
  const extents = new Extents();
  paths.forEach((path, position) => {
    extents.add(position * 1000, 100);
    builder.add(path, {
      start: position * 1000,
      packedSize: 10,
      size: 2 ** 40 + position,
      crc32: position,
      packing: 8,
    });
  });
  expect(await extents.settle(paths.length * 1000)).toBe(true);
  return builder.finish(extents);
}

describe('the index of an archive', () => {
  it('finds every path with its position, and no other', async () => {
    const paths = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 40, unit: anyCharacter }), {
      maxLength: 300,
    });
    await fc.assert(
      fc.asyncProperty(paths, fc.string({ minLength: 41, maxLength: 60 }), async (names, stranger) => {
        const { entries, count } = await indexOf(names);
        expect(entries).toHaveLength(count * RECORD_BYTES);
        names.forEach((path, position) => {
          expect(lookIn(entries, pathDigest(path))).toEqual(
            expect.objectContaining({
              start: position * 1000,
              span: 1000,
              size: 2 ** 40 + position,
              crc32: position,
            }),
          );
        });
        expect(typeof lookIn(entries, pathDigest(stranger))).toBe('string');
      }),
      { numRuns: 30 },
    );
  });

  it('leaves out paths that occur twice', async () => {
    const { entries, count } = await indexOf(['a', 'b', 'a', 'c', 'a']);
    expect(count).toBe(2);
    expect(lookIn(entries, pathDigest('b'))).toMatchObject({ start: 1000 });
    expect(typeof lookIn(entries, pathDigest('a'))).toBe('string');
  });

  it('has records near the position that their digest suggests', async () => {
    const names = Array.from({ length: 20_000 }, (_, position) => `build/output/file-${position}.txt`);
    const { entries, count } = await indexOf(names);
    const reach = 8 + Math.ceil(1.5 * Math.sqrt(count));
    const missed = names.filter((path) => {
      const digest = pathDigest(path);
      const start = Math.max(0, Math.floor(fractionOf(digest) * count) - reach);
      const window = entries.subarray(start * RECORD_BYTES, (start + 2 * reach) * RECORD_BYTES);
      return typeof lookIn(window, digest) === 'string';
    });
    expect(missed.length).toBeLessThan(200);
  });

  it('shows on which side of a window a path belongs', async () => {
    const { entries } = await indexOf(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    const middle = entries.subarray(3 * RECORD_BYTES, 5 * RECORD_BYTES);
    const [first, last] = [
      entries.subarray(0, 16),
      entries.subarray(7 * RECORD_BYTES, 7 * RECORD_BYTES + 16),
    ];
    expect(lookIn(middle, first)).toBe('before');
    expect(lookIn(middle, last)).toBe('after');
  });
});

describe('extents', () => {
  it.each([
    [
      [
        [0, 10],
        [10, 10],
      ],
      20,
      true,
    ],
    [
      [
        [10, 10],
        [0, 10],
      ],
      20,
      true,
    ],
    [
      [
        [0, 11],
        [10, 10],
      ],
      20,
      false,
    ],
    [
      [
        [0, 10],
        [0, 10],
      ],
      20,
      false,
    ],
    [
      [
        [0, 10],
        [10, 11],
      ],
      20,
      false,
    ],
    [[], 0, true],
  ] as [number[][], number, boolean][])('%j before %i: %s', async (spans, limit, isApart) => {
    const extents = new Extents();
    for (const [start, length] of spans) extents.add(start as number, length as number);
    expect(await extents.settle(limit)).toBe(isApart);
  });
});

describe('paths of artifacts', () => {
  it.each(['a', 'a/b.txt', '...', 'a..b/..c', 'ü/日本 語.txt', '-', 'a b'])('accepts %j', (path) => {
    expect(isArtifactPath(path)).toBe(true);
  });

  it.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/..',
    './a',
    'a\\b',
    '..\\a',
    'a\0b',
    'a\nb',
    'a\rb',
    'a\u007f',
    '\uff0e\uff0e/a',
    '\u2025/a',
    '\u2024\u2024/a',
    '..\uff0fa',
    'a\uff3cb',
    '\ud800',
    'a/'.repeat(2100) + 'a',
  ])('refuses %j', (path) => {
    expect(isArtifactPath(path)).toBe(false);
  });
});
