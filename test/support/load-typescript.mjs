// Loads TypeScript of src/ into plain Node (jest's global setup and helper processes are not transformed by
// jest). Only for files that import packages, and files of src/ for which the same is true.
import { transformFileSync } from '@swc/core';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const place = join(root, 'node_modules/.cache/forgeplane', String(process.pid));

/** Compiles `file` (relative to the repository) and what it imports into node_modules/.cache, and imports it. */
export async function importTypeScript(file) {
  compile(file, new Set());
  try {
    return await import(pathToFileURL(join(place, compiled(file))).href);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const compiled = (file) => file.replace(/\.ts$/, '.js');

function compile(file, done) {
  if (done.has(file)) return;
  done.add(file);
  const { code } = transformFileSync(join(root, file), {
    jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
    module: { type: 'es6' },
  });
  const folder = dirname(file);
  mkdirSync(join(place, folder), { recursive: true });
  const linked = code.replace(/(?<=from ')(#|\.)[^']+(?=')/g, (path) => {
    const imported = path.startsWith('#') ? `src/${path.slice(1)}` : join(folder, path);
    compile(imported.replace(/\.js$/, '.ts'), done);
    return `./${relative(folder, imported)}`;
  });
  writeFileSync(join(place, compiled(file)), linked);
}
