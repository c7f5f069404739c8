import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { isValidRefName } from './ref-name.js';

const byGit = (name: string): boolean =>
  !name.startsWith('-') && spawnSync('git', ['check-ref-format', '--allow-onelevel', name]).status === 0;

describe('isValidRefName', () => {
  it.each([
    ...[
      'main',
      'v1.0',
      'feature/a',
      'a/b/c',
      'ünïcode',
      'a@b',
      'a{b}',
      'a.lockb',
      'HEAD',
      "a'b",
      'a;b',
      'a$b',
    ],
    ...['', '@', '.a', 'a/.b', 'a.', 'a.lock', 'a.lock/b', 'a..b', 'a b', 'a~b', 'a^b', 'a:b', 'a?b', 'a*b'],
    ...['a[b', 'a\\b', '/a', 'a/', 'a//b', 'a@{b', 'a\tb', 'a\x7fb', '-a', '--upload-pack=x'],
  ])('accepts or refuses %j as git does', (name) => {
    expect(isValidRefName(name)).toBe(byGit(name));
  });

  it('agrees with git on names made of special characters', () => {
    const piece = fc.constantFrom('a', '.', '/', '.lock', '@', '{', '-', '..', ' ', '~', '\\', 'b');
    const name = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(name, (text) => isValidRefName(text) === byGit(text)),
      { numRuns: 100 },
    );
  });

  it('refuses names that are unsafe for file systems and command lines', () => {
    expect(isValidRefName('a\0b')).toBe(false);
    expect(isValidRefName('a'.repeat(251))).toBe(false);
    expect(isValidRefName(Array.from({ length: 5 }, () => 'a'.repeat(250)).join('/'))).toBe(false);
  });
});
