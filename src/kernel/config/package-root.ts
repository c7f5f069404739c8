import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error('package.json was not found in any folder above the code');
}

/** The folder of package.json, dist and hooks; this code runs in src, dist/src or a bundle below it. */
export const PACKAGE_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));
