import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import type { LocalFile } from '#kernel/disk/local-file.js';
import { isUnmodified } from './conditional.js';
import { HttpError } from '../errors.js';
import { assertFileMatch, sendFile, type FileBody } from './file-answer.js';

/** An immutable file, sent whole or in part. */
export interface RangedFile {
  /** Suggested file name. */
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Hexadecimal SHA-256 of the content. */
  readonly sha256: string;
  readonly modifiedAt: Date;
  /** Opens the file, or a part of it. */
  readonly open: (part: FilePart | null) => Promise<Readable | LocalFile>;
  /** Delegates the answer, with any range, to another server; false if none takes it. */
  readonly handOver?: (response: Response) => Promise<boolean>;
}

/** First and last byte of a range, inclusive. */
export interface FilePart {
  readonly start: number;
  readonly end: number;
}

/**
 * Answers 200 with a file, 206 with the part that `Range` requests, 304 if the client has the file already.
 * @throws 412 if `If-Match` names another file, 416 for a range outside of the file
 */
export async function sendRanged(request: Request, response: Response, file: RangedFile): Promise<FileBody> {
  const { size, sha256, open } = file;
  const digest = Buffer.from(sha256, 'hex').toString('base64');
  response.setHeader('ETag', tagOf(file));
  response.setHeader('Last-Modified', file.modifiedAt.toUTCString());
  response.setHeader('Accept-Ranges', 'bytes');
  assertFileMatch(response);
  if (isKnown(request, file)) {
    response.status(304);
    return undefined;
  }
  // Other servers do not know our entity tags, so `If-Range` must be checked here.
  const isForOthers = request.method === 'GET' && request.headers['if-range'] === undefined;
  if (isForOthers && (await file.handOver?.(response))) return undefined;
  const part = partOf(request, file);
  response.setHeader('Repr-Digest', `sha-256=:${digest}:`);
  if (part) {
    response.status(206);
    response.setHeader('Content-Range', `bytes ${part.start}-${part.end}/${size}`);
  } else {
    response.setHeader('Digest', `sha-256=${digest}`);
  }
  const length = part ? part.end - part.start + 1 : size;
  return sendFile(response, { ...file, size: length, open: () => open(part) });
}

/**
 * Whether the client has the file: by tag, or else by date. Express's own check would not look where the request says `no-cache`, which
 * fetch adds to every conditional request.
 */
function isKnown({ headers }: Request, file: RangedFile): boolean {
  const tag = headers['if-none-match'];
  if (tag !== undefined) return isUnmodified(tag, tagOf(file));
  return file.modifiedAt.getTime() - 999 <= Date.parse(headers['if-modified-since'] ?? '');
}

const tagOf = ({ sha256 }: RangedFile): string => `"${sha256}"`;

/** One range of bytes; what is not such a range, or has several of them, is answered by the whole file (RFC 9110 14.2). */
const RANGE = /^bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i;

/** The requested part; null for the whole file. */
function partOf(request: Request, file: RangedFile): FilePart | null {
  if (request.method !== 'GET' || !isSameStill(request, file)) return null;
  const [, first = '', last = ''] = RANGE.exec(request.headers.range ?? '') ?? [];
  if (first === '' && last === '') return null;
  // A range that ends before it begins is not valid.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  const start = first === '' ? Math.max(0, file.size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? file.size - 1 : Math.min(Number(last), file.size - 1);
  if (start > end) throw unsatisfiableRange(file.size);
  return { start, end };
}

const unsatisfiableRange = (size: number): HttpError =>
  new HttpError(416, { message: '416 Range Not Satisfiable' }, { 'Content-Range': `bytes */${size}` });

/** Whether what the client has a part of is this file: `If-Range`, by tag or by date. */
function isSameStill({ headers }: Request, file: RangedFile): boolean {
  const known = headers['if-range'];
  if (typeof known !== 'string') return true;
  return known.includes('"') ? known === tagOf(file) : Date.parse(known) >= file.modifiedAt.getTime() - 999;
}
