import type { IncomingMessage } from 'node:http';

/** Longer than any key of this service. */
const MAX_HEADER = 4096;

/**
 * Reads the key of a request: as a bearer token, or as the password of Basic credentials with any username
 * (`api-v4.md` 4.4). Null if there is none, or several; keys in the query or the body are ignored.
 */
export function readAlertKey({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string | null {
  const header = headers.authorization ?? '';
  const sent = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  if (sent.length > 1 || header.length > MAX_HEADER) return null;
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(header) ?? [];
  const key = scheme.toLowerCase() === 'basic' ? passwordOf(value) : value;
  return key === '' ? null : key;
}

function passwordOf(encoded: string): string {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? '' : text.slice(colon + 1);
}
