// Compiles specs and their shared files into dist/specs, for Node's own loader (scripts/native-runtime.cjs):
// a worker loads the product and its libraries once, from dist/src. jest's loader would compile 1,900 modules
// again for every test file.
import { transform } from '@swc/core';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** Whether everything runs; tests ask test/support/complete.ts. */
const isComplete = process.env.TESTS_COMPLETE === '1';

/** Specs that start servers of their own or need large packages: a third of the time of all. */
const longSpecs = () => specsOf('processes', 'deploy');

/** Specs that `npm test` leaves to `npm run test:faults`. */
export const leftOut = () => (isComplete ? [] : longSpecs());

/** Every spec of `npm test`. */
export const allSpecs = () => [
  ...list('src', '.spec.ts'),
  ...specsOf('api', 'unit', 'clients'),
  ...(isComplete ? longSpecs() : []),
];

/** Fault specs that run only by name, and why; `.ci/run` runs them last, each alone. */
export const FAULTS_BY_NAME = new Map([
  [
    'test/faults/deploy.spec.ts',
    'four pods, a proxy and 50 requests a second need both cores for themselves',
  ],
]);

/** Every other spec of `npm run test:faults`. */
export const allFaults = () => [
  ...specsOf('faults').filter((spec) => !FAULTS_BY_NAME.has(spec)),
  ...leftOut(),
];

/**
 * Compiles these specs; returns what jest should run: the compiled files, and the sources that jest should
 * load.
 */
export async function compileSpecs(specs) {
  // jest does not start without the folder.
  mkdirSync(join(root, TARGET), { recursive: true });
  const shared = list('test/support', '.ts').filter((file) => !file.endsWith('.d.ts'));
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

const specsOf = (...folders) => folders.flatMap((folder) => list(`test/${folder}`, '.spec.ts'));

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
