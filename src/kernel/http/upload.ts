import busboy from 'busboy';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BadRequest, HttpError, MissingAttribute } from './errors.js';
import { isMultipart } from './multipart.js';
import type { ApiRequest } from './request.js';

const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FIELDS = 100;

/** A file that came with a request, and the text fields beside it. */
export interface Upload {
  /** Its name as sent, without folders. */
  readonly name: string;
  /** Where it lies until `remove` is called. */
  readonly path: string;
  readonly fields: ReadonlyMap<string, string>;
  remove(): Promise<void>;
}

const tooLarge = (): Error => new HttpError(413, { message: '413 Request Entity Too Large' });

/**
 * Takes the file `field` of a multipart body to a temporary place, never into memory; for routes with `@RawBody`.
 * @throws 400 when it is missing or the body malformed, 413 for one of more than `maxBytes`
 */
export async function readUpload(request: ApiRequest, field: string, maxBytes: number): Promise<Upload> {
  if (!isMultipart(request)) throw MissingAttribute(field);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + MAX_FIELD_BYTES) throw tooLarge();
  const path = join(tmpdir(), `forgeplane-upload-${randomUUID()}`);
  const remove = (): Promise<void> => rm(path, { force: true });
  try {
    const { name, fields } = await receive(request, field, path, maxBytes);
    if (name === null) throw MissingAttribute(field);
    return { name, path, fields, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function receive(
  request: ApiRequest,
  field: string,
  path: string,
  maxBytes: number,
): Promise<{ name: string | null; fields: Map<string, string> }> {
  const parser = parserOf(request, maxBytes);
  const fields = new Map<string, string>();
  let name: string | null = null;
  let stored: Promise<void> = Promise.resolve();
  try {
    await new Promise<void>((resolve, reject) => {
      // The request itself is left open: its answer needs the connection.
      const fail = (error: Error): void => {
        request.unpipe(parser);
        reject(error);
        parser.destroy(error);
      };
      parser.on('field', (key, value, { valueTruncated }) =>
        valueTruncated ? fail(tooLarge()) : fields.set(key, value),
      );
      parser.on('fieldsLimit', () => fail(tooLarge()));
      parser.on('file', (key, stream, { filename }) => {
        if (key !== field || name !== null || !filename) {
          stream.resume();
          return;
        }
        name = filename;
        stored = store(stream, path);
        stored.catch(fail);
      });
      parser.on('error', () => fail(BadRequest('400 Bad request')));
      parser.on('close', resolve);
      request.on('aborted', () => fail(BadRequest('400 Bad request')));
      request.pipe(parser);
    });
    await stored;
  } catch (error) {
    await stored.catch(() => undefined);
    throw error;
  }
  return { name, fields };
}

async function store(stream: Readable & { truncated?: boolean }, path: string): Promise<void> {
  await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  if (stream.truncated) throw tooLarge();
}

function parserOf({ headers }: ApiRequest, maxBytes: number): busboy.Busboy {
  // The parser takes a file that just reaches its limit for one that was cut.
  const limits = { fileSize: maxBytes + 1, files: 10, fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS };
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8' });
  } catch {
    throw BadRequest('400 Bad request');
  }
}
