// Writes the specs of test/api in groups below dist/specs, one module graph a group: loading the product costs three times what
// starting it does, and jest loads all modules anew for every file. A spec becomes a function in a `describe` of its own name.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = join(root, 'test/api');
const target = join(root, 'dist/specs');

/** Specs a group: more save less and less, and a group runs in one worker. */
const SIZE = 8;

/** These get a group each: those that define jobs of their own (every product in their process would ask for the processors), and the longest. */
const ALONE = /from '\.\.\/support\/queue-|from '\.\.\/support\/hostile/;

/** Makes the groups. */
export function groupSpecs() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const names = readdirSync(source).filter((name) => name.endsWith('.spec.ts'));
  // Large ones first, dealt out in turn: groups take about as long as each other.
  names.sort((one, other) => sizeOf(other) - sizeOf(one) || one.localeCompare(other));
  const alone = names.filter((name) => ALONE.test(textOf(name)));
  const shared = names.filter((name) => !alone.includes(name));
  const groups = [...alone.map((name) => [name]), ...dealt(shared, Math.ceil(shared.length / SIZE))];
  for (const [number, members] of groups.entries()) {
    for (const name of members) writeFileSync(join(target, wrapped(name)), wrap(name));
    writeFileSync(join(target, `group-${String(number).padStart(2, '0')}.spec.ts`), groupOf(members));
  }
}

const dealt = (names, count) =>
  Array.from({ length: count }, (_none, group) => names.filter((_name, at) => at % count === group));

const textOf = (name) => readFileSync(join(source, name), 'utf8');
const sizeOf = (name) => statSync(join(source, name)).size;
const wrapped = (name) => `${basename(name, '.spec.ts')}.ts`;

function groupOf(members) {
  const imports = members.map(
    (name, at) => `import suite${at} from './${wrapped(name).replace('.ts', '.js')}';`,
  );
  const suites = members.map((name, at) => `describe('test/api/${name}', suite${at});`);
  return [`import { describe } from '@jest/globals';`, ...imports, ...suites, ''].join('\n');
}

/** The imports stay where they are, all the rest becomes the body of a function; lines keep their numbers. */
function wrap(name) {
  const text = textOf(name);
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const end = file.statements.filter(ts.isImportDeclaration).at(-1)?.end ?? 0;
  const head = text.slice(0, end).replaceAll(`from '../`, `from '../../test/`);
  return `${head} export default (): void => {${text.slice(end)}\n};\n`;
}
