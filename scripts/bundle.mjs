// Bundles the output of tsc in dist/src into dist/app: main.js, primary.js, cli.js, starter.js, the tasks of
// threads and the lazily loaded parts, together with the packages that have the most files. Node then opens
// some four hundred files instead of 3,900: bundling ours saves a third of the CPU time of every start,
// bundling packages a quarter of the rest. Other packages stay in node_modules (programs, native code, what
// finds its own files by path), and dist/src stays for the tests.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

/** Whether the bundler is installed: with production dependencies only, it is not. */
export function canBundle() {
  try {
    createRequire(import.meta.url).resolve('esbuild');
    return true;
  } catch {
    return false;
  }
}

/** Creates dist/app from dist/src below `root`; returns whether it could. */
export async function bundle(root) {
  const { build } = await import('esbuild');
  const folder = join(root, 'dist/app');
  const result = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'dist/src/main.js',
      cli: 'dist/src/cli.js',
      primary: 'dist/src/primary.js',
      starter: 'dist/src/kernel/processes/starter.js',
      ...tasks(root),
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [ownImports(root), packages],
    // CommonJS packages use it to load those outside the bundle.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    // Dependency injection, entities and logs use the names of classes, which must not change if two files
    // use the same one.
    keepNames: true,
    // A third less to read and to compile; lines stay short enough for stack traces.
    minifyWhitespace: true,
    lineLimit: 400,
    sourcemap: true,
    chunkNames: 'part-[hash]',
    metafile: true,
    logLevel: 'warning',
  }).catch(() => undefined);
  if (!result) return false;
  nameClassesOnly(Object.keys(result.metafile.outputs).map((file) => join(root, file)));
  removeOld(
    folder,
    Object.keys(result.metafile.outputs).map((file) => basename(file)),
  );
  writeFileSync(join(folder, JOINED_LIST), JSON.stringify(packagesOf(result.metafile.inputs), null, 1));
  return true;
}

const NAMER = '__name=(target,value)=>__defProp(target,"name",{value,configurable:true})';

/**
 * Restricts `keepNames` to classes, whose names begin with a capital letter. It also names every function each
 * time that one is created: 15 to 20 % of the instructions of this process for a commit status.
 */
function nameClassesOnly(files) {
  let found = 0;
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(file, 'utf8');
    if (!text.includes(NAMER)) continue;
    found += 1;
    const cheap = NAMER.replace('=>', '=>value.charCodeAt(0)>90?target:');
    writeFileSync(file, text.replace(NAMER, cheap));
  }
  if (found === 0) throw new Error('The helper of keepNames has changed: see scripts/bundle.mjs');
}

/** The folders of the packages that these files come from. */
const packagesOf = (inputs) => [
  ...new Set(
    Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  ),
];

/** Tasks of threads: each is a file that a thread loads alone. */
const tasks = (root) =>
  Object.fromEntries(
    readdirSync(join(root, 'dist/src'), { recursive: true })
      .filter((name) => name.endsWith('.task.js'))
      .map((name) => [basename(name, '.js'), join('dist/src', name)]),
  );

/** `#kernel/...` and the like are our own files, not packages. */
const ownImports = (root) => ({
  name: 'own-imports',
  setup: (build) => {
    build.onResolve({ filter: /^#/ }, ({ path }) => ({ path: join(root, 'dist/src', path.slice(1)) }));
  },
});

/**
 * Packages of plain JavaScript with most of the files that a start would read; none of them may also be
 * loaded from node_modules.
 */
const JOINED = [
  '@nestjs/',
  '@opentelemetry/',
  '@sqltools/formatter',
  'class-transformer',
  'class-validator',
  'cron',
  'iterare',
  'libphonenumber-js',
  'luxon',
  'prom-client',
  'rxjs',
  'tslib',
  'typeorm',
  'validator',
];

/** Whether it is not to be loaded from node_modules: what dist/app imports of it, it holds. */
export const isJoined = (path) =>
  JOINED.some((name) => path === name || path.startsWith(name.endsWith('/') ? name : `${name}/`));

/**
 * Bundles these packages; optional imports that are not installed, such as drivers of other databases, are
 * still resolved in node_modules.
 */
const packages = {
  name: 'packages',
  setup: (build) => {
    build.onResolve({ filter: /^[^./#]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === packages) return undefined;
      if (!isJoined(path)) return { external: true };
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: packages });
      return found.errors.length > 0 ? { external: true } : found;
    });
    // It looks up exports of typeorm releases before 1.0 in node_modules, and so loads all of it a second
    // time.
    build.onLoad({ filter: /@nestjs.typeorm.dist.common.typeorm-compat\.js$/ }, () => ({
      contents: 'export const Connection = undefined, AbstractRepository = undefined;',
    }));
  },
};

/**
 * Lists the packages in dist/app, for the content of an image (scripts/image.mjs) and its bill of materials.
 */
export const JOINED_LIST = 'joined.json';

/**
 * Keeps the files of this build and the previous one: a running process may still have to load some of the
 * latter.
 */
function removeOld(folder, made) {
  const list = join(folder, 'parts.json');
  let before = [];
  try {
    before = JSON.parse(readFileSync(list, 'utf8'));
  } catch {
    // This is the first build here.
  }
  const kept = new Set([...made, ...before, basename(list), JOINED_LIST]);
  for (const file of readdirSync(folder)) if (!kept.has(file)) rmSync(join(folder, file), { force: true });
  writeFileSync(list, JSON.stringify(made));
}
