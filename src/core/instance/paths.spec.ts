import { describe, expect, it } from '@jest/globals';
import { NAME_FORM, nameProblem, PATH_FORM, pathProblem } from './paths.js';

describe('paths', () => {
  it.each(['a', 'A-b_c.d', '1a', '_x', 'x9'])('accepts %s', (path) => {
    expect(pathProblem(path, true)).toBeNull();
  });

  it.each(['', '-a', '.a', 'a.', 'a-', 'a.git', 'a.ATOM', 'a/b', 'a b', 'é', 'a\n', '..'])(
    'refuses %j',
    (path) => {
      expect(pathProblem(path, true)).toBe(PATH_FORM);
    },
  );

  it('allows paths that are reserved elsewhere', () => {
    expect(pathProblem('Admin', true)).toBe('Admin is a reserved name');
    expect(pathProblem('admin', false)).toBeNull();
    expect(pathProblem('tree', false)).toBe('tree is a reserved name');
    expect(pathProblem('12', true)).toBe('12 is a reserved name');
    expect(pathProblem('a'.repeat(256), true)).toMatch(/too long/);
  });

  it('accepts names of users, and refuses markup', () => {
    expect(nameProblem('Übergruppe (2) + ✨')).toBeNull();
    expect(nameProblem('<b>')).toBe(NAME_FORM);
    expect(nameProblem(' x')).toBe(NAME_FORM);
    expect(nameProblem('  ')).toBe("can't be blank");
  });
});
