import type { Readable } from 'node:stream';
import { badRequest } from '#kernel/http/errors.js';
import { beginLargeAnswer, LARGE_BYTES } from '#kernel/http/answers/large-answers.js';
import { git, gitText } from './git.js';
import { askGit } from './kept/ask-git.js';
import { streamGit } from './stream-git.js';

/** Bytes of a blob that JSON may carry; larger ones are streamed. */
export const MAX_JSON_BLOB = 10 * 1024 * 1024;

/** A blob that exists. */
export interface BlobInfo {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

/** The blob of an id of 7 to 40 hexadecimal digits, or null. */
export async function findBlob(repositoryPath: string, name: string): Promise<BlobInfo | null> {
  if (!/^[0-9a-f]{7,40}$/i.test(name)) return null;
  const [kept] = (await askGit(repositoryPath, [{ command: 'info', name }])) ?? [];
  if (kept !== undefined) return kept?.type === 'blob' ? kept : null;
  const line = await gitText(repositoryPath, ['cat-file', '--batch-check'], { input: `${name}\n` });
  const [, id, size] = /^([0-9a-f]{40}) blob (\d+)$/.exec(line) ?? [];
  return id === undefined ? null : { id, size: Number(size) };
}

/** The content of a blob in memory. @throws 400 for one that is too large for that */
function readBlob(repositoryPath: string, { id, size }: BlobInfo): Promise<Buffer> {
  if (size > MAX_JSON_BLOB)
    throw badRequest('The file is larger than 10 MiB: only its raw content can be read');
  return git(repositoryPath, ['cat-file', 'blob', id], { maxBytes: MAX_JSON_BLOB });
}

/** Hands the content of a blob to `work`, a large one when the request may make a large answer. @throws 400 as `readBlob`, PoolBusy */
export async function withBlob<T>(
  repositoryPath: string,
  blob: BlobInfo,
  work: (content: Buffer) => T,
): Promise<T> {
  if (blob.size > LARGE_BYTES) await beginLargeAnswer();
  return work(await readBlob(repositoryPath, blob));
}

/** The content of a blob as a stream. */
export const openBlob = (repositoryPath: string, { id }: BlobInfo): Promise<Readable> =>
  streamGit(repositoryPath, ['cat-file', 'blob', id]);
