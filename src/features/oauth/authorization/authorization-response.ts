import { responseModeOf, type ResponseMode } from './response-mode.js';
import type { Refusal } from './refusal.js';
import type { SentParameters } from './sent-parameters.js';

/** Registered redirect URI of the client, with the parameters to return. */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  readonly state: string | null;
  /**
   * Whether the response names the issuer (RFC 9207): if the client requested an identity. Plain OAuth 2.0
   * clients may reject the unknown parameter (as Auth.js does).
   */
  readonly namesIssuer: boolean;
}

/** Response to the client by way of the browser. */
export interface AuthorizationResponse {
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/**
 * Returns the return address of a request with a valid client and redirect URI; an invalid mode counts as
 * `query`.
 */
export const returnAddressOf = (parameters: SentParameters, redirectUri: string): ReturnAddress => ({
  redirectUri,
  mode: responseModeOf(parameters.get('response_mode') ?? 'query') ?? 'query',
  state: parameters.get('state'),
  namesIssuer: (parameters.get('scope') ?? '').split(' ').includes('openid'),
});

/** Creates the response with a code (RFC 6749 4.1.2, RFC 9207). */
export const granted = (to: ReturnAddress, code: string, issuer: string): AuthorizationResponse =>
  respond(to, [['code', code]], issuer);

/** Creates the response with an error (RFC 6749 4.1.2.1, RFC 9207). */
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
 * Returns the redirect URI with the response in its query or fragment; its own query is kept. Blanks become
 * `%20`, which parsers of forms and URIs both accept, and everything is ASCII, so that no header can be split
 * or mangled.
 */
export function locationOf({ redirectUri, mode, parameters }: AuthorizationResponse): string {
  const base = redirectUri.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
  const answer = parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  if (mode === 'fragment') return `${base}#${answer}`;
  return `${base}${base.includes('?') ? (/[?&]$/.test(base) ? '' : '&') : '?'}${answer}`;
}
