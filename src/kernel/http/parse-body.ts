import type { IncomingHttpHeaders } from 'node:http';
import { BadRequest, HttpError } from './errors.js';
import { isTooDeep } from './json-depth.js';
import { countValues, MAX_JSON_VALUES } from './json-values.js';
import { QUERY_LIMITS } from './query-string.js';
import { parseNested } from './small-form.js';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/**
 * The values of a JSON body; nothing is a hash without entries. JSON is UTF-8 whatever its charset says (RFC 8259, 11).
 * @throws 400 for what is none or has too many levels, 422 for too many values
 */
export function parseJson(body: Buffer): unknown {
  // Making values takes a thousand times as long as reading their text.
  if (countValues(body, MAX_JSON_VALUES + 1) > MAX_JSON_VALUES)
    throw new HttpError(422, {
      message: `422 Unprocessable Entity - the body has more than ${MAX_JSON_VALUES} values`,
    });
  if (isTooDeep(body)) throw Malformed();
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw Malformed();
  }
}

/** The values of a form. @throws 400 for too many or too deep ones, 415 for a charset that forms do not have */
export function parseForm(body: Buffer, headers: IncomingHttpHeaders): object {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'iso-8859-1')
    throw new HttpError(415, { message: '415 Unsupported Media Type' });
  const text = charset === 'utf-8' ? body.toString('utf8').replace(/^\ufeff/, '') : body.toString('latin1');
  if (hasMore(text, QUERY_LIMITS.parameterLimit)) throw BadRequest('400 Bad request');
  return parseNested(text, charset);
}

/** Whether a form has more parameters than are read; stops where that is known. */
function hasMore(text: string, most: number): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= most; at = text.indexOf('&', at + 1)) count += 1;
  return count > most;
}

const Malformed = (): HttpError => BadRequest('400 Bad request - malformed JSON');
