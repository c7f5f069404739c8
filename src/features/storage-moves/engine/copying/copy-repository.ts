import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git } from '#core/repositories/git/git.js';
import { makeBareRepository } from '#core/repositories/storages/bare-repository.js';
import { copyChecked } from './checked-copy.js';
import { flushTree, forEachOf } from '#kernel/disk/durable.js';
import { bytesOf, listObjects } from './list-objects.js';
import type { OpenCopy } from './open-copy.js';
import { digestOf, readRefs, type Refs } from './read-refs.js';

const ATTEMPTS = 3;

/** Receives the progress of a copy. */
export interface CopyProgress {
  /** Adds to the bytes to be copied, or subtracts. */
  readonly expect: (bytes: number) => void;
  readonly add: (bytes: number) => void;
}

/**
 * Copies a bare repository: all objects, reachable or not, all refs and HEAD, nothing else. Objects are
 * copied as files, each verified by its own checksum, which is several times as fast as sending a pack.
 * Returns the digest of the source's refs.
 */
export async function copyRepository(
  copy: Pick<OpenCopy, 'source' | 'staged' | 'identity'>,
  signal: AbortSignal,
  progress: CopyProgress,
): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    let counted = 0;
    const add = (bytes: number): void => {
      counted += bytes;
      progress.add(bytes);
    };
    try {
      return await copyOnce(copy, signal, add, progress.expect);
    } catch (error) {
      // Objects that were packed concurrently are no longer where they were listed.
      if (attempt === ATTEMPTS || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      progress.add(-counted);
      await rm(copy.staged, { recursive: true, force: true });
    }
  }
}

async function copyOnce(
  { source, staged, identity }: Pick<OpenCopy, 'source' | 'staged' | 'identity'>,
  signal: AbortSignal,
  add: (bytes: number) => void,
  expect: (bytes: number) => void,
): Promise<string> {
  const files = await listObjects(source, staged);
  const refs = await readRefs(source, signal);
  const expected = bytesOf(files);
  await makeBareRepository(staged, identity);
  expect(expected);
  try {
    for (const folder of new Set(files.map(({ to }) => dirname(to))))
      await mkdir(folder, { recursive: true });
    await forEachOf(files, (file) => copyChecked(file, signal, add));
    await writeRefs(staged, refs, signal);
  } catch (error) {
    expect(-expected);
    throw error;
  }
  await flushTree(staged);
  return digestOf(refs);
}

async function writeRefs(path: string, { head, refs }: Refs, signal: AbortSignal): Promise<void> {
  await writeFile(join(path, 'HEAD'), `${head}\n`);
  const plain = refs.filter(({ target }) => target === '');
  if (plain.length > 0) {
    const lines = plain.map(({ name, id }) => `${id} ${name}\n`);
    // Branches are commits; for other refs git must look up the targets of tags, which clones need.
    const arePeeled = plain.every(({ name }) => name.startsWith('refs/heads/'));
    const header = `# pack-refs with: ${arePeeled ? 'peeled fully-peeled ' : ''}sorted `;
    await writeFile(join(path, 'packed-refs'), `${header}\n${lines.join('')}`);
    if (!arePeeled) await git(path, ['pack-refs', '--all'], { signal, timeoutMs: 300_000, kind: 'long' });
  }
  for (const { name, target } of refs)
    if (target !== '') await git(path, ['symbolic-ref', '--', name, target], { signal });
}
