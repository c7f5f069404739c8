import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync } from 'node:fs';

/** Whether this machine is a Debian whose packages can be read. */
export const isDebian = spawnSync('dpkg-query', ['--version']).status === 0;

interface Installed {
  readonly name: string;
  readonly isBase: boolean;
  /** Names under which others may depend on it, including its own. */
  readonly names: readonly string[];
  /** Its dependencies: of each entry, one is enough. */
  readonly needs: readonly (readonly string[])[];
}

const FIELDS = ['Package', 'db:Status-Status', 'Essential', 'Priority', 'Provides', 'Pre-Depends', 'Depends'];

/** The installed packages of this machine, and their dependencies. */
export class DebianPackages {
  private readonly byName = new Map<string, Installed>();
  private readonly all: readonly Installed[];

  constructor() {
    const format = `${FIELDS.map((field) => `\${${field}}`).join('\t')}\n`;
    const text = execFileSync('dpkg-query', ['--show', `--showformat=${format}`], { encoding: 'utf8' });
    this.all = text.split('\n').flatMap((line) => {
      const [name = '', status, essential, priority, provides = '', before = '', depends = ''] =
        line.split('\t');
      if (status !== 'installed') return [];
      const needs = [...listOf(before), ...listOf(depends)].map((entry) => entry.split('|').map(nameOf));
      const isBase = essential === 'yes' || priority === 'required' || name === 'apt';
      return [{ name, isBase, names: [name, ...listOf(provides).map(nameOf)], needs }];
    });
    for (const one of [...this.all].reverse())
      for (const name of one.names.slice(1)) this.byName.set(name, one);
    for (const one of this.all) this.byName.set(one.name, one);
  }

  /** Packages of Debian's slim image. */
  base(): Set<string> {
    return this.closure(this.all.filter(({ isBase }) => isBase).map(({ name }) => name));
  }

  /** These packages and all of their dependencies. @throws if one of them is not installed here */
  closure(names: readonly string[]): Set<string> {
    const found = new Set<string>();
    const open = names.map((name) => [name]);
    for (let wanted = open.pop(); wanted; wanted = open.pop()) {
      const one = wanted.map((name) => this.byName.get(name)).find((installed) => installed !== undefined);
      if (!one) throw new Error(`${wanted.join(' or ')} is not installed on this machine`);
      if (found.has(one.name)) continue;
      found.add(one.name);
      open.push(...one.needs.map((need) => [...need]));
    }
    return found;
  }
}

/** Bytes of the files of packages that these rules of dpkg do not exclude; a file with several names counts once. */
export function bytesOf(packages: Iterable<string>, rules: readonly ExcludeRule[]): number {
  const sizes = new Map<string, number>();
  const files = execFileSync('dpkg-query', ['--listfiles', ...packages], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  for (const path of files.split('\n').filter((line) => line.startsWith('/'))) {
    if (rules.findLast(({ pattern }) => pattern.test(path))?.isExcluded) continue;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile()) sizes.set(`${stat.dev} ${stat.ino}`, stat.size);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** A rule of files that dpkg includes or excludes: the last matching rule applies. */
interface ExcludeRule {
  readonly isExcluded: boolean;
  readonly pattern: RegExp;
}

/** The rules of a configuration file. */
export function excludeRules(text: string): ExcludeRule[] {
  return [...text.matchAll(/^path-(exclude|include)=(.*)$/gm)].map(([, kind, glob = '']) => {
    const pattern = glob.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');
    return { isExcluded: kind === 'exclude', pattern: new RegExp(`^${pattern}$`) };
  });
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** `libc6 (>= 2.36)` and `perl:any` are looked up only by their names. */
const nameOf = (entry: string): string => entry.trim().split(/[ :(]/, 1)[0] ?? '';
