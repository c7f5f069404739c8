import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedFile } from './checked-copy.js';

/** Files of packs. Marks (`.keep`) and files that can be recreated are not copied. */
const PACK_FILE = /^pack-[0-9a-f]{40}\.(pack|idx|rev|bitmap|mtimes)$/;

/**
 * Lists all files with objects of a repository, in copy order: loose ones first, since they may be packed
 * concurrently. Only names of objects and packs: no configuration, hooks, alternates or links are copied.
 */
export async function listObjects(source: string, target: string): Promise<CheckedFile[]> {
  const loose: CheckedFile[] = [];
  const objects = join(source, 'objects');
  for (const folder of await readdir(objects)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    for (const name of await filesIn(join(objects, folder), /^[0-9a-f]{38}$/))
      loose.push(await sized(source, target, join('objects', folder, name), folder + name));
  }
  const packs: CheckedFile[] = [];
  for (const name of await filesIn(join(objects, 'pack'), PACK_FILE))
    packs.push(await sized(source, target, join('objects/pack', name), null));
  // Indexes last: without its index a pack is not used.
  const rank = ({ from }: CheckedFile): number => Number(!from.endsWith('.pack'));
  return [...loose, ...packs.sort((a, b) => rank(a) - rank(b))];
}

async function filesIn(folder: string, names: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && names.test(entry.name)).map(({ name }) => name);
}

async function sized(
  source: string,
  target: string,
  path: string,
  objectId: string | null,
): Promise<CheckedFile> {
  const from = join(source, path);
  return { from, to: join(target, path), size: (await stat(from)).size, objectId };
}

/** Sums up the sizes of files. */
export const bytesOf = (files: readonly CheckedFile[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);
