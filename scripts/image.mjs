// node scripts/image.mjs <folder> [--omit=optional]: puts together what lies in /app of the image, from a build and the packages that are installed here.
// Of node_modules only what can run is taken: packages of production that dist/app does not hold already, without declarations, maps,
// documents, tests and programs for other machines.
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJoined, JOINED_LIST } from './bundle.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Not needed to run: files that tests load, the state for the next build, and the compile cache, which the image makes for its own user. */
const LEFT_OUT = /^dist\/(?:src|test|specs|compile-cache|build\.[a-z]+|[a-z]+\.tsbuildinfo)$|\.map$/;

const NEVER_RUN =
  /\.(?:map|[cm]?ts|flow|tsbuildinfo)$|(?:^|\/)(?!licen[cs]e|notice|copying)[^/]*\.(?:md|markdown)$/i;
/** At the top of a package; deeper down a folder may bear such a name and be needed. */
const NO_CODE =
  /^(?:tests?|__tests__|docs?|examples?|bench(?:marks?)?|coverage|man|\.github|\.vscode|\.idea)$/;
const FOREIGN = new RegExp(`(?:^|/)prebuilds/(?!${process.platform}-${process.arch}$)[^/]+$`);

/** Folders of packages whose code is in dist/app. */
export const joinedPackages = () => read(`dist/app/${JOINED_LIST}`);

/** Folders of packages, as package-lock.json names them, that the product loads from node_modules; without optional ones if so asked. */
export function neededPackages(isOptionalLeftOut = false) {
  const { packages } = read('package-lock.json');
  const joined = new Set(joinedPackages());
  const loaded = new Set();
  const walked = new Set();
  const find = (name, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
      const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
      if (packages[path]) return path;
      if (at === '') return undefined;
    }
  };
  // Bundled packages are left out, unless a package that stays in node_modules needs them as well; packages
  // that could be bundled but are not are never imported.
  const visit = (path, isAsked) => {
    const isLoaded = isAsked || !joined.has(path);
    const seen = isLoaded ? loaded : walked;
    if (seen.has(path)) return;
    seen.add(path);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path];
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = find(name, path);
      if (found && (isLoaded || joined.has(found) || !isJoined(name))) visit(found, isLoaded);
    }
  };
  const { dependencies, optionalDependencies } = packages[''];
  const asked = Object.keys({ ...dependencies, ...(isOptionalLeftOut ? {} : optionalDependencies) });
  for (const path of [...joined, ...asked.map((name) => `node_modules/${name}`)]) visit(path, false);
  return [...loaded].sort().filter((path) => {
    if (existsSync(join(root, path))) return true;
    if (packages[path].optional || packages[path].devOptional) return false;
    throw new Error(`${path} is not installed: run \`npm ci\``);
  });
}

/** Copies it all into a folder, which is made. */
export function putTogether(target, isOptionalLeftOut = false) {
  copy('package.json', target);
  copyFolder('hooks', target, () => true);
  copyFolder('dist', target, (path) => !LEFT_OUT.test(path));
  for (const path of neededPackages(isOptionalLeftOut)) {
    const isRun = (file) => {
      const inside = file.slice(path.length + 1);
      return !NO_CODE.test(inside) && !NEVER_RUN.test(inside) && !FOREIGN.test(inside);
    };
    // Packages within it are asked for by themselves.
    copyFolder(path, target, (file) => !file.endsWith('/node_modules') && isRun(file));
  }
}

function copyFolder(folder, target, isTaken) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (!isTaken(path)) continue;
    if (entry.isDirectory()) copyFolder(path, target, isTaken);
    else copy(path, target);
  }
}

function copy(path, target) {
  const [from, to] = [join(root, path), join(target, path)];
  mkdirSync(dirname(to), { recursive: true });
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else copyFileSync(from, to);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [target, ...options] = process.argv.slice(2);
  if (!target || options.some((option) => option !== '--omit=optional')) {
    console.error('Usage: node scripts/image.mjs <folder> [--omit=optional]');
    process.exitCode = 2;
  } else putTogether(target, options.length > 0);
}
