import { BadRequest } from '#kernel/http/errors.js';
import { isTooDeep } from '#kernel/http/json-depth.js';

/** The payload that bytes hold. @throws 400 for what is no JSON, or too deep */
export function payloadOf(bytes: Buffer): unknown {
  const malformed = BadRequest('400 Bad request - malformed JSON');
  if (isTooDeep(bytes)) throw malformed;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw malformed;
  }
}
