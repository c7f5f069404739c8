import busboy from 'busboy';
import type { ServerResponse } from 'node:http';
import qs from 'qs';
import { QUERY_LIMITS } from '../query-string.js';
import { numberHashes } from '../form-lists.js';
import { badRequest } from '../../errors.js';
import type { ApiRequest } from '../../request.js';
import { countBody, MAX_BODY_BYTES } from '../whole-body.js';
import { held } from '#kernel/streams/held.js';
import { inLargePieces } from '#kernel/streams/pieces.js';
import { tooLarge } from '../bounded-body.js';
import type { FieldClass } from '../../fields/field-spec.js';
import { SentFiles } from './sent-files.js';
import { takeBody } from '../taken-body.js';

const MAX_FIELD_BYTES = 1024 * 1024;
const MAX_FIELDS = 1000;
const MAX_FILES = 10;

/** Whether the body of a request is multipart/form-data. */
export const isMultipart = (request: ApiRequest): boolean =>
  (request.headers['content-type'] ?? '').toLowerCase().startsWith('multipart/form-data');

/** Whether the parser could read a text of a part: it has nothing of an unknown charset, and may have half a character of UTF-16. */
export const isReadable = (text: unknown): boolean => typeof text === 'string' && text.isWellFormed();

/**
 * Parses the text fields of a multipart body into `request.body`, with brackets as in queries, together with the small files that the route
 * declares as parameters, as `SentFile`. Skips other files: routes with large files read the stream themselves.
 * @throws 400 for a malformed body, 413 for too many or too long fields
 */
export async function readMultipartFields(
  request: ApiRequest,
  params: FieldClass | undefined,
): Promise<void> {
  const names: string[] = [];
  const values: string[] = [];
  const files = new SentFiles(params);
  const parser = parserOf(request, files.maxBytes);
  const body = takeBody(request, {
    maxBytes: MAX_BODY_BYTES,
    watch: countBody(request.res as ServerResponse),
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      body.destroy();
      reject(error);
      parser.destroy();
    };
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated || info.nameTruncated) fail(tooLarge());
      else if (!isReadable(name) || !isReadable(value)) fail(badRequest('400 Bad request'));
      else {
        names.push(encodeURIComponent(name).replace(/%5B/g, '[').replace(/%5D/g, ']'));
        values.push(value);
      }
    });
    parser.on('file', (name, stream, { filename }) => files.take(name, filename, held(stream)));
    parser.on('fieldsLimit', () => fail(tooLarge()));
    parser.on('error', () => fail(badRequest('400 Bad request')));
    parser.on('close', resolve);
    body.on('error', fail);
    // The parser keeps the pieces of a field as they come, and may compare each with the whole boundary.
    inLargePieces(body).on('error', fail).pipe(parser);
  });
  request.body = files.beside(parseFields(names, values));
}

/** Sorts values by the brackets of their names. To escape megabytes of values for that would take a quarter of a second. */
function parseFields(names: readonly string[], values: readonly string[]): Record<string, unknown> {
  const form = names.map((name, index) => `${name}=${index}`).join('&');
  return qs.parse(numberHashes(form), {
    ...QUERY_LIMITS,
    decoder: (text, decode: (text: string) => string, _charset, kind) =>
      kind === 'value' ? values[Number(text)] : decode(text),
  });
}

function parserOf({ headers }: ApiRequest, fileSize: number): busboy.Busboy {
  const limits = { fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS, files: MAX_FILES, fileSize };
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8' });
  } catch {
    throw badRequest('400 Bad request');
  }
}
