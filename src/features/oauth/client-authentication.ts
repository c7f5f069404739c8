import type { Request } from 'express';
import { isTokenOf } from '#kernel/crypto/tokens.js';
import type { FormParameters } from './form-parameters.js';
import { oauthError } from './oauth-error.js';

/** Parameters by which clients name and prove themselves. */
export const CLIENT_PARAMETERS = ['client_id', 'client_secret'] as const;

/** How a client has named itself. */
export interface SentClient {
  readonly id: string;
  /** Readings of the secret that was sent, one of which must be right; empty where none was sent. */
  readonly secrets: readonly string[];
  readonly isBasic: boolean;
}

/** What authentication needs of an application. */
export interface ClientFields {
  readonly secretDigest: Buffer;
  readonly confidential: boolean;
}

/** `id:secret` in base64. */
const BASIC = /^basic +([A-Za-z0-9+/=_-]*) *$/i;

/**
 * The client as the request names it: by HTTP Basic, or by parameters of the body; null where it does not.
 * @throws 400 invalid_request for both at once, 401 invalid_client for what cannot be read
 */
export function sentClient(
  request: Pick<Request, 'headers'>,
  form: FormParameters<(typeof CLIENT_PARAMETERS)[number]>,
): SentClient | null {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  const { authorization = '' } = request.headers;
  if (!/^basic\b/i.test(authorization)) {
    // A secret without an id names nobody: not the same as naming no client.
    if (id === null && secret === null) return null;
    return { id: id ?? '', secrets: secret === null ? [] : [secret], isBasic: false };
  }
  const client = basicClient(authorization);
  // Naming oneself once more is no second method, as long as it is the same name.
  if (secret !== null || (id !== null && id !== client.id)) throw oauthError('invalid_request');
  return client;
}

/** RFC 6749 2.3.1 wants both halves encoded as in a form; many clients send them as they are. */
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

/** Whether the application is the one that the client says to be: by its secret, or without one by its name where it can keep none. */
export function isAuthentic(application: ClientFields | null, client: SentClient): boolean {
  if (!application) return false;
  if (client.secrets.length === 0) return !application.confidential;
  return client.secrets.some((secret) => isTokenOf(application.secretDigest, secret));
}
