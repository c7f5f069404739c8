import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error('package.json is missing: the folder of the product is the one that holds it');
}

/** The folder that holds package.json, dist and hooks, wherever below it this code lies: in src, in dist/src or in a bundle. */
export const PACKAGE_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));
