import { HttpError } from '#kernel/http/errors.js';
import { UNSTORED } from './unstored.js';

/** Error codes of the endpoints for clients (RFC 6749 5.2, RFC 6750 3.1). */
export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable';

/** Texts of `auth-core.md` 1.4 that both endpoints send; without quotes and line ends, so that they fit into a header. */
export const COMMON_DESCRIPTIONS = {
  invalid_request:
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
};

const DESCRIPTIONS: Readonly<Record<OauthErrorCode, string>> = {
  ...COMMON_DESCRIPTIONS,
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_token: 'The access token is invalid',
  unauthorized_client: 'You are not authorized to revoke this token',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
  temporarily_unavailable: 'Too many requests. Try again later.',
};

const STATUSES: Readonly<Partial<Record<OauthErrorCode, number>>> = {
  invalid_client: 401,
  invalid_token: 401,
  unauthorized_client: 403,
  temporarily_unavailable: 429,
};

/** Options of an error. */
interface ErrorOptions {
  readonly description?: string;
  /** Sent in the body next to the error. */
  readonly state?: string;
  /** The client used HTTP Basic, so the challenge asks for it (RFC 6749 5.2). */
  readonly basic?: boolean;
}

const REALM = 'realm="Forgeplane"';

/** Creates an error of the OAuth endpoints, with the challenge and headers of `auth-core.md` 1.4. */
export function oauthError(error: OauthErrorCode, options: ErrorOptions = {}): HttpError {
  const { description = DESCRIPTIONS[error], state, basic = false } = options;
  const challenge = `Bearer ${REALM}, error="${error}", error_description="${description}"`;
  return new HttpError(
    STATUSES[error] ?? 400,
    { error, error_description: description, ...(state === undefined ? {} : { state }) },
    {
      ...UNSTORED,
      'WWW-Authenticate': basic ? `Basic ${REALM}, ${challenge}` : challenge,
    },
  );
}

/** Error 400 for a missing parameter. */
export const missingParameter = (name: string): HttpError =>
  oauthError('invalid_request', { description: `Missing required parameter: ${name}.` });
