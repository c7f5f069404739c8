import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { pipeline, Readable } from 'node:stream';
import { LocalFile } from '#kernel/disk/local-file.js';
import { ExactLength } from '#kernel/streams/exact-length.js';
import { LocalFileAnswer } from './local-file-answer.js';
import { assertMatch } from './conditional.js';

/** A file to send as an answer. */
export interface FileToSend {
  /** Suggested file name. */
  readonly name: string;
  /** Content type; if undefined, plain text or bytes, detected from the first bytes. */
  readonly type?: string;
  /** Size in bytes, if known. */
  readonly size?: number;
  /** Opens the file and reads its first bytes; not called for HEAD. A `LocalFile` requires `type` and `size`. */
  readonly open: () => Promise<Readable | LocalFile>;
}

/** Body of a file answer; undefined if no body is sent. */
export type FileBody = StreamableFile | LocalFileAnswer | undefined;

/** Content security policy that keeps browsers from running uploaded files. */
const CLOSED = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Checks `If-Match` against the entity tag of the answer. @throws 412 if it names another version of the file */
export function assertFileMatch(response: Response): void {
  const tag = response.getHeader('ETag');
  assertMatch(response.req.headers['if-match'], typeof tag === 'string' ? tag : null);
}

/** Streams a file as an attachment, which browsers do not display; stops reading when the connection closes. @throws 412 */
export async function sendFile(response: Response, file: FileToSend): Promise<FileBody> {
  assertFileMatch(response);
  const isHead = response.req.method === 'HEAD';
  const stream = isHead ? undefined : await file.open();
  const type = file.type ?? (stream instanceof Readable ? typeOf(stream) : 'application/octet-stream');
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Disposition', attachment(file.name));
  response.setHeader('Content-Security-Policy', CLOSED);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (file.size !== undefined) response.setHeader('Content-Length', file.size);
  if (!stream) return undefined;
  if (stream instanceof LocalFile) return new LocalFileAnswer(response, stream);
  return streamed(response, stream, file.size);
}

/**
 * Returns a stream as the body of an answer that has announced its `size`, if that is known: bytes that are missing or left over would
 * be taken from, or for, the next answer on the connection. Stops reading when the answer closes, or at once if it is closed already.
 */
export function streamed(response: Response, stream: Readable, size?: number): StreamableFile {
  const body = size === undefined ? stream : pipeline(stream, new ExactLength(size), () => undefined);
  if (response.destroyed) body.destroy();
  else response.once('close', () => body.destroy());
  // Cut the connection on errors: a truncated file must not look complete.
  return new StreamableFile(body).setErrorHandler(() => void response.destroy());
}

/** Builds a Content-Disposition header with both forms of the name, as v4 always does (docs/decisions/file-names.md). */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** No text holds a NUL. */
function typeOf(stream: Readable): string {
  const beginning = stream.readableLength > 0 ? (stream.read() as Buffer) : Buffer.alloc(0);
  if (beginning.length > 0) stream.unshift(beginning);
  return beginning.includes(0) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
