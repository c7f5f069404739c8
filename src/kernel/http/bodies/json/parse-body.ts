import type { IncomingHttpHeaders } from 'node:http';
import { badRequest, HttpError } from '../../errors.js';
import { jsonShape } from './json-shape.js';
import { MAX_JSON_VALUES, tooManyValues } from './json-values.js';
import { QUERY_LIMITS } from '../query-string.js';
import { parseValues } from '../small-form.js';
import { LongValues } from './long-values.js';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** Parses JSON from a client as UTF-8, ignoring its charset (RFC 8259, 11). @throws 400 if malformed or nested too deeply, 422 for too many values */
export function readJson(json: Buffer): unknown {
  // Creating the values takes a thousand times as long as scanning their text.
  const { values, isTooDeep } = jsonShape(json, MAX_JSON_VALUES + 1);
  if (values > MAX_JSON_VALUES) throw tooManyValues();
  if (isTooDeep) throw malformedJson();
  try {
    return JSON.parse(json.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    throw malformedJson();
  }
}

/** Parses a JSON body like `readJson`; an empty body is an empty object. */
export const parseJson = (body: Buffer): unknown => (isNothing(body) ? {} : readJson(body));

/** Empty but for a byte order mark. */
const isNothing = (body: Buffer): boolean =>
  body.length <= 3 && ['', '\ufeff'].includes(body.toString('utf8'));

/** Parses a form. @throws 400 for too many or too deeply nested parameters, 415 for other charsets */
export async function parseForm(body: Buffer, headers: IncomingHttpHeaders): Promise<object> {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'iso-8859-1')
    throw new HttpError(415, { message: '415 Unsupported Media Type' });
  const text = charset === 'utf-8' ? body.toString('utf8').replace(/^\ufeff/, '') : body.toString('latin1');
  if (hasMore(text, QUERY_LIMITS.parameterLimit)) throw badRequest('400 Bad request');
  const long = new LongValues(text, charset);
  await long.prepare();
  return parseValues(long);
}

/** Whether a form has more than `most` parameters; stops counting there. */
function hasMore(text: string, most: number): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= most; at = text.indexOf('&', at + 1)) count += 1;
  return count > most;
}

/** 400 for malformed JSON. */
export const malformedJson = (): HttpError => badRequest('400 Bad request - malformed JSON');
