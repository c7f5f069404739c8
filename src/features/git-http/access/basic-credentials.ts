import type { IncomingMessage } from 'node:http';
import { denied } from '../git-answer.js';

/** What was sent as user name and password. */
export interface BasicCredentials {
  readonly login: string;
  readonly password: string;
}

/** Longer than any token and password of ours. */
const MAX_ENCODED = 4096;

/**
 * The credentials of a request; null when it has none that git knows of (tokens in other headers are not for git).
 * @throws 401 for some that cannot be read, or that nobody can tell apart
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
