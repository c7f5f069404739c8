// Compiles specs, and what they share, into dist/specs, for Node's own loader (scripts/native-runtime.cjs): a worker loads the product and its
// libraries once, from dist/src. jest's loader would compile 1,900 modules anew for every test file.
import { transform } from '@swc/core';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { swcOptions } from './swc-options.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Below it everything lies as below the repository. */
const TARGET = 'dist/specs';

/**
 * What these define stays in their process, for every spec that comes after them: jobs (every product would be asked for their processors). And
 * they must not find the request log that a product has silenced. jest's loader gives each of them modules of its own.
 */
const ALONE = /from '\.\.\/support\/queue-|from '#kernel\/log\/request-log\.js|\bdefineJob\(/;

/** Import or export from a path: `import x from './x.js'`, `} from './x.js'`, `import './x.js'`. */
const FROM = /^((?:import|export|\}).*? from |import )'((?:\.{1,2}\/|@jest\/globals)[^']*)';$/gm;

/** What stands before the first statement that is no import. */
const HEAD = /(?:\s+|\/\/.*|\/\*[^]*?\*\/|import\b[^;]*;)*/y;

/** Every spec of `npm test`. */
export const allSpecs = () => [
  ...list('src', '.spec.ts'),
  ...['api', 'unit', 'clients'].flatMap((folder) => list(`test/${folder}`, '.spec.ts')),
];

/** Compiles these specs; the answer is what jest is to run: the compiled files, and the sources that jest is to load. */
export async function compileSpecs(specs) {
  const shared = list('test/support', '.ts').filter((file) => !file.endsWith('.d.ts'));
  if (specs.some(isNative)) await Promise.all(shared.map(compile));
  // jest says what is wrong with a spec that does not compile, or is not there.
  return Promise.all(
    specs.map((spec) =>
      isNative(spec)
        ? compile(spec).then(
            () => compiledPath(spec),
            () => spec,
          )
        : spec,
    ),
  );
}

/** The spec that a compiled file was made of; undefined for what is none. */
export function sourceOf(file) {
  const path = relative(root, file);
  return path.startsWith(`${TARGET}/`) ? path.slice(TARGET.length + 1).replace(/\.js$/, '.ts') : undefined;
}

const isNative = (spec) =>
  /^(src|test)\/.*\.spec\.ts$/.test(spec) && existsSync(join(root, spec)) && !ALONE.test(textOf(spec));

const list = (folder, end) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(end) && !name.includes('node_modules/'))
    .map((name) => `${folder}/${name}`);

const textOf = (file) => readFileSync(join(root, file), 'utf8');
const compiledPath = (file) => `${TARGET}/${file.replace(/\.ts$/, '.js')}`;

async function compile(file) {
  const target = join(root, compiledPath(file));
  const text = file.endsWith('.spec.ts') ? wrapped(textOf(file)) : textOf(file);
  const source = text.replaceAll(FROM, (_all, start, path) => `${start}'${moved(file, path)}';`);
  const { code } = await transform(source, {
    ...swcOptions,
    filename: join(root, file),
    sourceFileName: posix.relative(posix.dirname(compiledPath(file)), file),
    sourceMaps: 'inline',
    inlineSourcesContent: false,
    swcrc: false,
  });
  // Another run may be reading it.
  if (existsSync(target) && readFileSync(target, 'utf8') === code) return;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, code);
  renameSync(`${target}.${process.pid}`, target);
}

/**
 * All but the imports becomes a function, or the product that a spec holds in a variable would stay as long as its module; lines keep
 * their numbers.
 */
function wrapped(text) {
  HEAD.lastIndex = 0;
  const [head] = HEAD.exec(text);
  return `${head} export default () => {${text.slice(head.length)}\n};\n`;
}

/** A path as the compiled file has to say it: the product is in dist/src, other specs and what they share beside it. */
function moved(file, path) {
  const folder = posix.dirname(compiledPath(file));
  if (path === '@jest/globals') return posix.relative(folder, 'scripts/native-globals.mjs');
  const meant = posix.join(posix.dirname(file), path);
  if (meant.startsWith('src/')) return meant.replace('src/', '#');
  if (meant.startsWith('test/') && meant.endsWith('.js')) return path;
  return posix.relative(folder, meant.startsWith('migrations/') ? `dist/${meant}` : meant);
}
