import { responseModeOf, type ResponseMode } from './response-mode.js';
import type { Refusal } from './refusal.js';
import type { SentParameters } from './sent-parameters.js';

/** Where the answer goes: a redirect URI that is registered for the client, and what the client wants to hear with it. */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  readonly state: string | null;
  /**
   * Whether the client hears who answers (RFC 9207): where it asked for an identity. One of plain OAuth 2.0 that knows nothing of
   * the parameter may refuse it (Auth.js does).
   */
  readonly namesIssuer: boolean;
}

/** An answer to the client, on its way through the browser. */
export interface AuthorizationResponse {
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** The address for the answer to a request whose client and redirect URI are good; a mode that is none counts as `query`. */
export const returnAddressOf = (parameters: SentParameters, redirectUri: string): ReturnAddress => ({
  redirectUri,
  mode: responseModeOf(parameters.get('response_mode') ?? 'query') ?? 'query',
  state: parameters.get('state'),
  namesIssuer: (parameters.get('scope') ?? '').split(' ').includes('openid'),
});

/** The answer that carries a code (RFC 6749 4.1.2, RFC 9207). */
export const granted = (to: ReturnAddress, code: string, issuer: string): AuthorizationResponse =>
  respond(to, [['code', code]], issuer);

/** The answer that tells why there is none (RFC 6749 4.1.2.1, RFC 9207). */
export const refused = (
  to: ReturnAddress,
  { error, description }: Refusal,
  issuer: string,
): AuthorizationResponse =>
  respond(
    to,
    [
      ['error', error],
      ['error_description', description],
    ],
    issuer,
  );

const respond = (
  { redirectUri, mode, state, namesIssuer }: ReturnAddress,
  parameters: AuthorizationResponse['parameters'],
  issuer: string,
): AuthorizationResponse => ({
  redirectUri,
  mode,
  parameters: [
    ...parameters,
    ...(state === null ? [] : [['state', state] as const]),
    ...(namesIssuer ? [['iss', issuer] as const] : []),
  ],
});

/**
 * The redirect URI with the answer in its query or fragment; its own query stays as it is. Blanks become `%20`, which readers of
 * forms and of URIs understand alike, and nothing leaves ASCII, so that no header can be split or mangled.
 */
export function locationOf({ redirectUri, mode, parameters }: AuthorizationResponse): string {
  const base = redirectUri.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
  const answer = parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  if (mode === 'fragment') return `${base}#${answer}`;
  return `${base}${base.includes('?') ? (/[?&]$/.test(base) ? '' : '&') : '?'}${answer}`;
}
