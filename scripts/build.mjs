// Compiles src, migrations and test/bench into dist and bundles the product in dist/app. `node
// scripts/build.mjs` also checks types (npm run build); the start scripts import buildIfStale, which compiles
// only if a source changed, without the type check.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundle, canBundle } from './bundle.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const stamp = join(root, 'dist/build.stamp');
const lock = join(root, 'dist/build.lock');
const MISSING = 'TypeScript or esbuild is not installed: run `npm ci --include=dev`.';
/** The argument of the process that `compileApart` starts. */
const APART = 'apart';
/** After that a lock counts as abandoned, since another process may have the number of the one that took it. */
const LOCK_MS = 600_000;
const sources = ['src', 'migrations', 'test/bench', 'test/support'];

/**
 * Builds unless dist was made from exactly these sources. Without sources or TypeScript, dist is used as it
 * is.
 */
export async function buildIfStale(log = console.log) {
  if (!existsSync(join(root, 'src')) || isCurrent()) return;
  const typescript = findTypescript();
  if (!typescript) {
    if (!existsSync(join(root, 'dist/app/main.js')))
      throw new Error(`There is no build in dist, and ${MISSING}`);
    log(`dist is older than the sources: starting the build that is there, since ${MISSING}`);
    return;
  }
  await locked(async () => {
    if (isCurrent()) return;
    log('Building ...');
    const began = Date.now();
    if (!(await compileApart())) throw new Error('The build failed.');
    log(`Built in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  });
}

/** Builds with the type check; returns whether there was no error. */
export async function build() {
  const typescript = findTypescript();
  if (!typescript) throw new Error(MISSING);
  return locked(() => compile(typescript, []));
}

/**
 * Compiles in a process of its own, without the type check: this one may go on to serve, and would keep the memory of
 * the build and the bundler's process.
 */
async function compileApart() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), APART], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return (await new Promise((resolve) => child.once('close', resolve))) === 0;
}

async function compile(typescript, options) {
  const made = signature();
  if (!(await emit(typescript, options))) return false;
  if (!(await bundle(root))) {
    // Files that tsc considers written by an earlier build may be missing, so everything is compiled again.
    rmSync(join(root, 'dist/build.tsbuildinfo'), { force: true });
    if (!(await emit(typescript, options)) || !(await bundle(root))) return false;
  }
  rmSync(join(root, 'dist/compile-cache'), { recursive: true, force: true });
  writeFileSync(stamp, made);
  return true;
}

async function emit(typescript, options) {
  const child = spawn(process.execPath, [typescript, '-p', 'tsconfig.build.json', ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  removeOrphans();
  copySql();
  return code === 0;
}

const isCurrent = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === signature();

/** Paths, sizes and times of all sources of dist; detects deleted and renamed files too. */
function signature() {
  const hash = createHash('sha256');
  const files = sources.flatMap((folder) => list(folder).filter((file) => /\.(ts|sql)$/.test(file)));
  for (const file of [
    ...files.sort(),
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'scripts/bundle.mjs',
  ]) {
    const { size, mtimeMs } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {};
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function list(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name));
}

/** Removes files of dist whose source was removed, such as a migration. */
function removeOrphans() {
  for (const file of ['src', 'migrations', 'test'].flatMap((folder) => list(join('dist', folder)))) {
    const source = file.replace(/^dist./, '').replace(/\.js(\.map)?$/, '.ts');
    if (/\.(js(\.map)?|sql)$/.test(file) && !existsSync(join(root, source)))
      rmSync(join(root, file), { force: true });
  }
}

/** Migrations read their longer texts from files next to them. */
function copySql() {
  for (const file of list('migrations').filter((name) => name.endsWith('.sql')))
    cpSync(join(root, file), join(root, 'dist', file));
}

/**
 * start:api and start:worker start at the same time on a fresh checkout: one of them builds, the other waits.
 */
async function locked(work) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned()) rmSync(lock, { force: true });
    else await sleep(100);
  }
  const unlock = () => rmSync(lock, { force: true });
  process.once('exit', unlock);
  try {
    return await work();
  } finally {
    process.off('exit', unlock);
    unlock();
  }
}

function isAbandoned() {
  try {
    if (Date.now() - statSync(lock).mtimeMs > LOCK_MS) return true;
    const pid = Number(readFileSync(lock, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Path of the compiler, if everything that a build needs is installed. */
function findTypescript() {
  if (!canBundle()) return undefined;
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isApart = process.argv[2] === APART;
  // Whoever asked for the build has ended.
  if (isApart) process.once('disconnect', () => process.exit(1));
  process.exit((await (isApart ? compile(findTypescript(), ['--noCheck']) : build())) ? 0 : 1);
}
