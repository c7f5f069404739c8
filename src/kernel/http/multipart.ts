import busboy from 'busboy';
import qs from 'qs';
import { QUERY_LIMITS } from './query-string.js';
import { numberHashes } from './form-lists.js';
import { BadRequest, HttpError } from './errors.js';
import type { ApiRequest } from './request.js';

/** Bytes of a whole body, files included: no route that takes files reads them here. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_FIELD_BYTES = 1024 * 1024;
const MAX_FIELDS = 1000;
const MAX_FILES = 10;

/** Whether the body of a request is multipart/form-data. */
export const isMultipart = (request: ApiRequest): boolean =>
  (request.headers['content-type'] ?? '').toLowerCase().startsWith('multipart/form-data');

/**
 * Reads the text fields of a multipart body into `request.body`, with brackets as in queries. Files are passed over: routes
 * that take files read the stream themselves.
 * @throws 400 for a malformed body, 413 for fields that are too many or too long.
 */
export async function readMultipartFields(request: ApiRequest): Promise<void> {
  const pairs: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const malformed = (): void => reject(BadRequest('400 Bad request'));
    const tooLarge = (): void => reject(new HttpError(413, { message: '413 Request Entity Too Large' }));
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: request.headers,
        limits: { fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS, files: MAX_FILES },
      });
    } catch {
      malformed();
      return;
    }
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated || info.nameTruncated) tooLarge();
      else
        pairs.push(
          `${encodeURIComponent(name).replace(/%5B/g, '[').replace(/%5D/g, ']')}=${encodeURIComponent(value)}`,
        );
    });
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received <= MAX_BODY_BYTES) return;
      request.unpipe(parser);
      tooLarge();
    });
    parser.on('file', (_name, stream) => void stream.resume());
    parser.on('fieldsLimit', tooLarge);
    parser.on('error', malformed);
    parser.on('close', resolve);
    request.on('aborted', malformed);
    request.pipe(parser);
  });
  request.body = qs.parse(numberHashes(pairs.join('&')), QUERY_LIMITS);
}
