import type { Request } from 'express';
import { isTokenOf } from '#kernel/crypto/tokens.js';
import type { FormParameters } from './form-parameters.js';
import { oauthError } from './oauth-error.js';

/** Parameters by which clients identify and authenticate. */
export const CLIENT_PARAMETERS = ['client_id', 'client_secret'] as const;

/** Identification of a client. */
export interface SentClient {
  readonly id: string;
  /** Possible readings of the secret, one of which must match; empty if none was sent. */
  readonly secrets: readonly string[];
  readonly isBasic: boolean;
}

/** Facts of an application that authentication needs. */
export interface ClientFields {
  readonly secretDigest: Buffer;
  readonly confidential: boolean;
}

/** `id:secret` in base64. */
const BASIC = /^basic +([A-Za-z0-9+/=_-]+) *$/i;

/**
 * Reads the client of a request, by HTTP Basic or by body parameters; null if it has none.
 * @throws 400 invalid_request for both at once, 401 invalid_client if it cannot be read
 */
export function sentClient(
  request: Pick<Request, 'headers'>,
  form: FormParameters<(typeof CLIENT_PARAMETERS)[number]>,
): SentClient | null {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  const { authorization = '' } = request.headers;
  if (!/^basic\b/i.test(authorization)) {
    // A secret without an id identifies no client, which differs from sending neither.
    if (id === null && secret === null) return null;
    return { id: id ?? '', secrets: secret === null ? [] : [secret], isBasic: false };
  }
  const client = basicClient(authorization);
  // Repeating the same id is not a second method.
  if (secret !== null || (id !== null && id !== client.id)) throw oauthError('invalid_request');
  return client;
}

/** RFC 6749 2.3.1 requires both parts to be form-encoded; many clients send them plainly. */
function basicClient(authorization: string): SentClient {
  const text = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const id = decoded(text.slice(0, colon));
  const secret = text.slice(colon + 1);
  if (colon < 0 || id.includes('\0')) throw oauthError('invalid_client', { basic: true });
  const plain = decoded(secret);
  const secrets = plain === secret ? [secret] : [secret, plain];
  return { id, secrets: secret === '' ? [] : secrets, isBasic: true };
}

function decoded(text: string): string {
  if (!/[+%]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Returns whether a client is authentic: by its secret, or by its id alone if it cannot keep a secret. */
export function isAuthentic(application: ClientFields | null, client: SentClient): boolean {
  if (!application) return false;
  if (client.secrets.length === 0) return !application.confidential;
  return client.secrets.some((secret) => isTokenOf(application.secretDigest, secret));
}
