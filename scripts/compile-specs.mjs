// Compiles specs and their shared files into dist/specs, for Node's own loader (scripts/native-runtime.cjs):
// a worker loads the product and its libraries once, from dist/src. jest's loader would compile 1,900 modules
// again for every test file.
import { transform } from '@swc/core';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesOf } from './spec-lists.mjs';
import { swcOptions } from './swc-options.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Its structure is that of the repository. */
const TARGET = 'dist/specs';

/**
 * Specs whose definitions would affect later specs of their process: jobs (every product would need
 * processors for them). They also must not get a request log that a product has silenced. With jest's loader
 * each of them has modules of its own.
 */
const ALONE = /from '(?:\.\.\/)+support\/queue-|from '#kernel\/log\/request-log\.js|\bdefineJob\(/;

/** Import or export from a path: `import x from './x.js'`, `} from './x.js'`, `import './x.js'`. */
const FROM = /^((?:import|export|\}).*? from |import )'((?:\.{1,2}\/|@jest\/globals)[^']*)';$/gm;

/** Everything before the first statement that is not an import. */
const HEAD = /(?:\s+|\/\/.*|\/\*[^]*?\*\/|import\b[^;]*;)*/y;

/**
 * Compiles these specs; returns what jest should run: the compiled files, and the sources that jest should
 * load.
 */
export async function compileSpecs(specs) {
  // jest does not start without the folder.
  mkdirSync(join(root, TARGET), { recursive: true });
  const shared = filesOf('test/support', '.ts').filter((file) => !file.endsWith('.d.ts'));
  if (specs.some(isNative)) await Promise.all(shared.map(compile));
  // jest reports a spec that does not compile or does not exist.
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

/** Returns the spec from which a compiled file was made; undefined if there is none. */
export function sourceOf(file) {
  const path = relative(root, file);
  return path.startsWith(`${TARGET}/`) ? path.slice(TARGET.length + 1).replace(/\.js$/, '.ts') : undefined;
}

const isNative = (spec) =>
  /^(src|test\/(?!faults\/)).*\.spec\.ts$/.test(spec) &&
  existsSync(join(root, spec)) &&
  !ALONE.test(textOf(spec));

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
 * Wraps everything but the imports in a function: otherwise the product that a spec keeps in a variable would
 * live as long as its module. Line numbers are kept.
 */
function wrapped(text) {
  HEAD.lastIndex = 0;
  const [head] = HEAD.exec(text);
  return `${head} export default () => {${text.slice(head.length)}\n};\n`;
}

/**
 * Converts a path for the compiled file: the product is in dist/src, other specs and shared files are next to
 * it.
 */
function moved(file, path) {
  const folder = posix.dirname(compiledPath(file));
  if (path === '@jest/globals') return posix.relative(folder, 'scripts/native-globals.mjs');
  const meant = posix.join(posix.dirname(file), path);
  if (meant.startsWith('src/')) return meant.replace('src/', '#');
  if (meant.startsWith('test/') && meant.endsWith('.js')) return path;
  return posix.relative(folder, meant.startsWith('migrations/') ? `dist/${meant}` : meant);
}
