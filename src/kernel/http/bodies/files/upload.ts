import busboy from 'busboy';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { held } from '#kernel/streams/held.js';
import { inLargePieces } from '#kernel/streams/pieces.js';
import { BodyBudget } from '../body-budget.js';
import { temporaryFile } from '#kernel/temporary/temporary-files.js';
import { badRequest, missingAttribute } from '../../errors.js';
import { tooLarge } from '../bounded-body.js';
import { countBytes } from '../whole-body.js';
import { isMultipart, isReadable } from './multipart.js';
import { takeBody } from '../taken-body.js';
import type { ApiRequest } from '../../request.js';

const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FIELDS = 100;

/** An uploaded file, and the text fields of its request. */
export interface Upload {
  /** File name as sent, without folders. */
  readonly name: string;
  /** Path of the temporary file, which exists until `remove` is called. */
  readonly path: string;
  readonly fields: ReadonlyMap<string, string>;
  remove(): Promise<void>;
}

/** Name and text fields of an upload, and the result of its consumer. */
export interface Taken<T> {
  /** File name as sent, without folders. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly result: T;
}

/** The content of a file as it arrives. */
type SentStream = Readable & { truncated?: boolean };

/** Limit of the bytes of all temporary files together; half of that for one client. Their disk may be small, and slow uploads stay for long. */
const MAX_TEMPORARY_BYTES = 512 * 1024 * 1024;

const temporary = new BodyBudget(MAX_TEMPORARY_BYTES);

/**
 * Streams the file `field` of a multipart body into a temporary file, for routes with `@RawBody`.
 * @throws 400 if the file is missing or the body is malformed, 413 if it is larger than `maxBytes`, 503 if temporary files are too large
 * together
 */
export async function readUpload(request: ApiRequest, field: string, maxBytes: number): Promise<Upload> {
  if (isTooLong(request, maxBytes)) throw tooLarge();
  const path = await temporaryFile('upload');
  const share = temporary.open();
  const remove = (): Promise<void> => rm(path, { force: true }).finally(share.end);
  try {
    const { name, fields } = await takeUpload(request, field, maxBytes, (file) =>
      store(file, path, share.watch),
    );
    return { name, path, fields, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Whether Content-Length shows that the only file of a request is larger than `maxBytes`. */
export const isTooLong = (request: ApiRequest, maxBytes: number): boolean =>
  Number(request.headers['content-length'] ?? 0) > maxBytes + MAX_FIELD_BYTES;

/**
 * Passes the file `field` of a multipart body to `take` as a stream, with the fields before it, for routes with `@RawBody`. The stream ends after `maxBytes + 1` bytes:
 * `take` must refuse longer files. If this function throws, the caller must discard what `take` created.
 * @throws 400 if the file is missing or the body is malformed, 503 if the fields of all bodies are too large together, and the errors of `take`
 */
export async function takeUpload<T>(
  request: ApiRequest,
  field: string,
  maxBytes: number,
  take: (file: SentStream, fields: ReadonlyMap<string, string>) => Promise<T>,
): Promise<Taken<T>> {
  if (!isMultipart(request)) throw missingAttribute(field);
  const parser = parserOf(request, maxBytes);
  const body = takeBody(request, { maxBytes: maxBytes + MAX_FIELD_BYTES });
  const fields = new Map<string, string>();
  const count = countBytes(request.res as ServerResponse);
  const files: { readonly name: string; readonly result: Promise<T> }[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => {
        body.destroy();
        reject(error);
        parser.destroy(error);
      };
      parser.on('field', (key, value, { valueTruncated }) => {
        if (valueTruncated) fail(tooLarge());
        else if (!isReadable(value)) fail(badRequest('400 Bad request'));
        else
          try {
            count(Buffer.byteLength(key) + Buffer.byteLength(value));
            fields.set(key, value);
          } catch (error) {
            fail(error as Error);
          }
      });
      parser.on('fieldsLimit', () => fail(tooLarge()));
      parser.on('file', (key, stream, { filename }) => {
        held(stream);
        if (key !== field || files.length > 0 || !filename) {
          stream.resume();
          return;
        }
        const result = take(stream, fields);
        files.push({ name: filename.toWellFormed(), result });
        result.catch(fail);
      });
      parser.on('error', () => fail(badRequest('400 Bad request')));
      parser.on('close', resolve);
      body.on('error', fail);
      inLargePieces(body).on('error', fail).pipe(parser);
    });
    const [file] = files;
    if (!file) throw missingAttribute(field);
    return { name: file.name, fields, result: await file.result };
  } catch (error) {
    await Promise.allSettled(files.map(({ result }) => result));
    throw error;
  }
}

async function store(stream: SentStream, path: string, watch: (bytes: number) => void): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  // A stream that fails early may still be opening its file: wait, so that the caller removes it afterwards.
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  try {
    await pipeline(
      stream,
      async function* watched(pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          watch(piece.length);
          yield piece;
        }
      },
      file,
    );
  } finally {
    await closed;
  }
  if (stream.truncated) throw tooLarge();
}

function parserOf({ headers }: ApiRequest, maxBytes: number): busboy.Busboy {
  // The parser reports a file that exactly reaches its limit as truncated.
  const limits = { fileSize: maxBytes + 1, files: 10, fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS };
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8' });
  } catch {
    throw badRequest('400 Bad request');
  }
}
