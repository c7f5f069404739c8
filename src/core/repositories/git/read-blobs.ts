import { git } from './git.js';
import { RepositoryDamaged } from './damage/repository-damaged.js';

const LINE_END = 0x0a;
/** Header of each object: its id, type and size. */
const HEADER_BYTES = 128;

/** Reads blobs in the order of their full ids. @throws as readObjects */
export const readBlobs = (
  repositoryPath: string,
  ids: readonly string[],
  maxBytes: number,
): Promise<(Buffer | null)[]> => readObjects(repositoryPath, ids, 'blob', maxBytes);

/**
 * Reads objects with one process, in the order of their names (full ids or expressions on them); null if
 * there is no such object. `maxBytes` limits their total size. @throws GitFailure `too-large` above it
 */
export async function readObjects(
  repositoryPath: string,
  names: readonly string[],
  wanted: 'blob' | 'tree',
  maxBytes: number,
): Promise<(Buffer | null)[]> {
  if (names.length === 0) return [];
  const output = await git(repositoryPath, ['cat-file', '--batch'], {
    input: names.map((name) => `${name}\n`).join(''),
    maxBytes: maxBytes + names.length * HEADER_BYTES,
  });
  let at = 0;
  return names.map((name) => {
    const end = output.indexOf(LINE_END, at);
    const [, type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) {
      if (wanted === 'blob') throw new RepositoryDamaged(repositoryPath, `blob ${name} is missing`);
      return null;
    }
    const content = output.subarray(at, at + Number(size));
    at += content.length + 1;
    return type === wanted ? content : null;
  });
}
