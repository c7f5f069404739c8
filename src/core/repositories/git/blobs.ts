import type { Readable } from 'node:stream';
import { badRequest } from '#kernel/http/errors.js';
import { beginLargeAnswer, LARGE_BYTES } from '#kernel/http/answers/large-answers.js';
import { git, gitText } from './git.js';
import { askGit } from './kept/ask-git.js';
import { streamGit } from './stream-git.js';

/** Limit of bytes of a blob in JSON; larger blobs are streamed. */
export const MAX_JSON_BLOB = 10 * 1024 * 1024;

/** An existing blob. */
export interface BlobInfo {
  readonly id: string;
  /** In bytes. */
  readonly size: number;
}

/** Finds the blob of an id of 7 to 40 hexadecimal digits; null if there is none. */
export async function findBlob(repositoryPath: string, name: string): Promise<BlobInfo | null> {
  if (!/^[0-9a-f]{7,40}$/i.test(name)) return null;
  const [kept] = (await askGit(repositoryPath, [{ command: 'info', name }])) ?? [];
  if (kept !== undefined) return kept?.type === 'blob' ? kept : null;
  const line = await gitText(repositoryPath, ['cat-file', '--batch-check'], { input: `${name}\n` });
  const [, id, size] = /^([0-9a-f]{40}) blob (\d+)$/.exec(line) ?? [];
  return id === undefined ? null : { id, size: Number(size) };
}

/** Reads a blob into memory. @throws 400 if it is too large */
function readBlob(repositoryPath: string, { id, size }: BlobInfo): Promise<Buffer> {
  if (size > MAX_JSON_BLOB)
    throw badRequest('The file is larger than 10 MiB: only its raw content can be read');
  return git(repositoryPath, ['cat-file', 'blob', id], { maxBytes: MAX_JSON_BLOB });
}

/**
 * Passes the content of a blob to `work`; a large blob needs a permit for large answers. @throws 400 as
 * `readBlob`, PoolBusy
 */
export async function withBlob<T>(
  repositoryPath: string,
  blob: BlobInfo,
  work: (content: Buffer) => T,
): Promise<T> {
  if (blob.size > LARGE_BYTES) await beginLargeAnswer();
  return work(await readBlob(repositoryPath, blob));
}

/** Opens a blob as a stream. */
export const openBlob = (repositoryPath: string, { id }: BlobInfo): Promise<Readable> =>
  streamGit(repositoryPath, ['cat-file', 'blob', id]);
