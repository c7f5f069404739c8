import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { readBoundedBody, TooLarge } from '#kernel/http/bounded-body.js';
import { BadRequest, HttpError } from '#kernel/http/errors.js';
import { isTooDeep } from '#kernel/http/json-depth.js';

/** Bytes of a body, as it is sent and as it comes out of any compression (`decisions.md` 2.12). */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

type Inflater = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const INFLATERS: ReadonlyMap<string, Inflater> = new Map([
  ['gzip', promisify<Buffer, object, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, object, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, object, Buffer>(inflate)],
]);

/**
 * Reads the JSON of a request, whatever it calls its content: not every tool that can send some can set a header.
 * @throws 400 for what is none or has too many levels, 413 for too much of it, 415 for a compression that is not known
 */
export async function readPayload(request: IncomingMessage): Promise<unknown> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const inflater = INFLATERS.get(encoding);
  if (!inflater && encoding !== 'identity')
    throw new HttpError(415, { message: '415 Unsupported Media Type' });
  const sent = await readBoundedBody(request, MAX_BODY_BYTES);
  const json = inflater ? await inflated(sent, inflater) : sent;
  if (isTooDeep(json)) throw malformed();
  try {
    return JSON.parse(json.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    throw malformed();
  }
}

const malformed = (): HttpError => BadRequest('400 Bad request - malformed JSON');

/** Stops where the limit is passed, however much more would come. */
async function inflated(bytes: Buffer, inflater: Inflater): Promise<Buffer> {
  try {
    return await inflater(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? TooLarge() : malformed();
  }
}
