// Loads TypeScript of src/ into plain Node (jest's global setup and helper processes are not transformed by
// jest). Only for files that import only packages and files of their own folder.
import { transformFileSync } from '@swc/core';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Compiles the folder of `file` (relative to the repository) into node_modules/.cache and imports the file. */
export async function importTypeScript(file) {
  const out = join(root, 'node_modules/.cache/forgeplane', String(process.pid), dirname(file));
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(join(root, dirname(file)))) {
    if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
    const { code } = transformFileSync(join(root, dirname(file), name), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
      module: { type: 'es6' },
    });
    const target = join(out, name.replace(/\.ts$/, '.js'));
    writeFileSync(`${target}.new`, code);
    renameSync(`${target}.new`, target);
  }
  try {
    return await import(
      pathToFileURL(
        join(root, 'node_modules/.cache/forgeplane', String(process.pid), file.replace(/\.ts$/, '.js')),
      ).href
    );
  } finally {
    rmSync(join(root, 'node_modules/.cache/forgeplane', String(process.pid)), {
      recursive: true,
      force: true,
    });
  }
}
