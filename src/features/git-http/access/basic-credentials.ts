import type { IncomingMessage } from 'node:http';
import { denied } from '../git-answer.js';

/** Username and password of a request. */
export interface BasicCredentials {
  readonly login: string;
  readonly password: string;
}

/** Longer than any token or password of this service. */
const MAX_ENCODED = 4096;

/**
 * Reads the credentials of a request; null if there are none that git uses (tokens in other headers are not
 * for git).
 * @throws 401 if they are unreadable or ambiguous
 */
export function readBasic(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): BasicCredentials | null {
  const header = request.headers.authorization;
  if (header === undefined || !/^basic(\s|$)/i.test(header)) return null;
  const sent = request.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization',
  );
  const encoded = header.slice('basic'.length).trim();
  if (sent.length > 1 || encoded.length > MAX_ENCODED) throw denied();
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0 || text.includes('\0')) throw denied();
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
