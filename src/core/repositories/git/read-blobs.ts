import { git } from './git.js';

const LINE_END = 0x0a;
/** What stands before each object: its id, type and size. */
const HEADER_BYTES = 128;

/**
 * Contents of blobs, in the order of their full ids, by one process; null for what is no blob of the repository. `maxBytes` bounds all of
 * them together. @throws GitFailure `too-large` beyond it
 */
export async function readBlobs(
  repositoryPath: string,
  ids: readonly string[],
  maxBytes: number,
): Promise<(Buffer | null)[]> {
  if (ids.length === 0) return [];
  const output = await git(repositoryPath, ['cat-file', '--batch'], {
    input: ids.map((id) => `${id}\n`).join(''),
    maxBytes: maxBytes + ids.length * HEADER_BYTES,
  });
  let at = 0;
  return ids.map(() => {
    const end = output.indexOf(LINE_END, at);
    const [, type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) return null;
    const content = output.subarray(at, at + Number(size));
    at += content.length + 1;
    return type === 'blob' ? content : null;
  });
}
