import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { library } from './library.js';

/** Runs these lines with the built helper in a process, and returns its output. */
function output(lines: string): unknown {
  const helper = resolve('dist/src/kernel/libraries/library.js');
  const program = `import { createRequire } from 'node:module';
    const { library } = await import(${JSON.stringify(helper)});
    const loaded = () => Object.keys(createRequire(${JSON.stringify(helper)}).cache)
      .filter((file) => file.includes('/node_modules/yaml/')).length;
    ${lines}`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }),
  );
}

describe('library', () => {
  it('is loaded at its first use, once', () => {
    const [named, used, again, same] = output(`
      const yaml = library('yaml');
      const counts = [loaded()];
      const first = yaml();
      counts.push(loaded());
      const second = library('yaml')();
      console.log(JSON.stringify([...counts, loaded(), first === second && yaml() === first]));`) as [
      number,
      number,
      number,
      boolean,
    ];
    expect(named).toBe(0);
    expect(used).toBeGreaterThan(0);
    expect([again, same]).toEqual([used, true]);
  });

  it('returns the exports of the library', () => {
    expect(library('yaml')().parse('a: [1, 2]')).toEqual({ a: [1, 2] });
    expect(library('re2js')().RE2JS.compile('^a+$').test('aaa')).toBe(true);
  });

  it('throws immediately if a library is not installed', () => {
    expect(() => library('not-installed' as 'yaml')).toThrow("'not-installed'");
  });
});
