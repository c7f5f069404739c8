// Writes the specs of test/api, those beside the sources and those of gitbeaker in groups below dist/specs, one module graph a group: loading the product costs
// three times what starting it does, and jest loads all modules anew for every file. A spec becomes a function in a `describe` of its own name.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = join(root, 'dist/specs');

/** Specs a group: more save less and less, and a group runs in one worker. */
const SIZE = { 'test/api': 14, src: 24, 'test/clients': 5 };

/**
 * These get a group each: those that define jobs of their own (every product in their process would ask for the processors), those that look
 * at all routes (others add some), and the longest.
 */
const ALONE = /from '\.\.\/support\/(queue-|hostile)|from '#kernel\/http\/route-list/;

/** Makes the groups. */
export function groupSpecs() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const [folder, size] of Object.entries(SIZE)) {
    // Large ones first, dealt out in turn: groups take about as long as each other.
    const specs = specsIn(folder).sort(
      (one, other) => sizeOf(other) - sizeOf(one) || one.localeCompare(other),
    );
    const alone = specs.filter((spec) => ALONE.test(textOf(spec)));
    const shared = specs.filter((spec) => !alone.includes(spec));
    const groups = [...alone.map((spec) => [spec]), ...dealt(shared, Math.ceil(shared.length / size))];
    for (const [number, members] of groups.entries()) write(folder, number, members);
  }
}

const specsIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter(
      (name) => name.endsWith('.spec.ts') && (folder !== 'test/clients' || name.startsWith('gitbeaker-')),
    )
    .map((name) => `${folder}/${name}`);

const dealt = (specs, count) =>
  Array.from({ length: count }, (_none, group) => specs.filter((_spec, at) => at % count === group));

const textOf = (spec) => readFileSync(join(root, spec), 'utf8');
const sizeOf = (spec) => statSync(join(root, spec)).size;
const nameOf = (path) => path.replaceAll('/', '-');

function write(folder, number, members) {
  const files = members.map((spec) => nameOf(spec).replace('.spec.ts', ''));
  for (const [at, spec] of members.entries()) writeFileSync(join(target, `${files[at]}.ts`), wrap(spec));
  const imports = files.map((file, at) => `import suite${at} from './${file}.js';`);
  const suites = members.map((spec, at) => `describe('${spec}', suite${at});`);
  const text = [`import { describe } from '@jest/globals';`, ...imports, ...suites, ''].join('\n');
  writeFileSync(join(target, `${nameOf(folder)}-${String(number).padStart(2, '0')}.spec.ts`), text);
}

/** The imports stay where they are, all the rest becomes the body of a function; lines keep their numbers. */
function wrap(spec) {
  const text = textOf(spec);
  const file = ts.createSourceFile(spec, text, ts.ScriptTarget.Latest);
  const end = file.statements.filter(ts.isImportDeclaration).at(-1)?.end ?? 0;
  const folder = relative(target, join(root, dirname(spec)));
  const head = text.slice(0, end).replaceAll(/from '(\.\.?\/)/g, (_all, start) => `from '${folder}/${start}`);
  return `${head} export default (): void => {${text.slice(end)}\n};\n`;
}
