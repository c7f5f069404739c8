import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { LocalFile } from '#kernel/disk/local-file.js';
import { LocalFileAnswer } from './local-file-answer.js';
import { assertMatch } from './conditional.js';

/** A file as an answer. */
export interface FileToSend {
  /** Name to save it under. */
  readonly name: string;
  /** Type of the content; unless given, plain text or bytes, by the look of its beginning. */
  readonly type?: string;
  /** Bytes, where known. */
  readonly size?: number;
  /** Begins to read it, and has its first bytes; not called for HEAD. A file of this machine has its type and size given. */
  readonly open: () => Promise<Readable | LocalFile>;
}

/** A file as the body of an answer; nothing where there is none to send. */
export type FileBody = StreamableFile | LocalFileAnswer | undefined;

/** What a browser must never do with files of others: run them, or guess that they are something to run. */
const CLOSED = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Refuses a request for another state of a file than the one whose tag is set. @throws 412 */
export function assertFileMatch(response: Response): void {
  const tag = response.getHeader('ETag');
  assertMatch(response.req.headers['if-match'], typeof tag === 'string' ? tag : null);
}

/** Streams a file as an attachment that no browser shows; reading it ends with the connection. @throws 412 */
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
  endWith(response, stream);
  // Half of a file must not look like all of it.
  return new StreamableFile(stream).setErrorHandler(() => void response.destroy());
}

/** Ends what is read for an answer with the answer, which may have been over before there was anything to read. */
export function endWith(response: Response, stream: Readable): void {
  if (response.destroyed) stream.destroy();
  else response.once('close', () => stream.destroy());
}

/** A name with its plain form for old clients (RFC 6266). */
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
