import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '#kernel/temporary/temporary-files.js';
import { gitText } from '../git/git.js';
import type { ObjectDirectory } from './quarantine.js';

/** Writes objects of one type with one process, by way of temporary files. @returns their ids */
export async function writeObjects(
  { path, env }: ObjectDirectory,
  type: 'blob' | 'tree',
  contents: readonly Buffer[],
): Promise<string[]> {
  if (contents.length === 0) return [];
  const folder = await temporaryFolder(`${type}s`);
  try {
    const names: string[] = [];
    for (const [number, content] of contents.entries()) {
      names.push(join(folder, String(number)));
      await writeFile(names.at(-1) as string, content);
    }
    const args = ['hash-object', '-t', type, '-w', '--no-filters', '--stdin-paths'];
    return (await gitText(path, args, { env, input: `${names.join('\n')}\n` })).split('\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
