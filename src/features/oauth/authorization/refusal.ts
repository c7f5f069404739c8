/** The error codes of the authorization endpoint (RFC 6749 4.1.2.1, OpenID Connect core 3.1.2.6, `auth-core.md` 1.2). */
export type RefusalCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unauthorized_client'
  | 'invalid_redirect_uri'
  | 'unsupported_response_type'
  | 'unsupported_response_mode'
  | 'invalid_scope'
  | 'invalid_code_challenge_method'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'request_not_supported'
  | 'request_uri_not_supported';

/** What is said of each, unless a check says something closer (`auth-core.md` 1.4); no quotes, no line ends: RFC 6749 allows none. */
const DESCRIPTIONS: Readonly<Record<RefusalCode, string>> = {
  invalid_request:
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  invalid_redirect_uri: 'The redirect URI included is not valid.',
  unsupported_response_type: 'The authorization server does not support this response type.',
  unsupported_response_mode: 'The authorization server does not support this response mode.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  invalid_code_challenge_method: 'The code challenge method must be S256.',
  access_denied: 'The resource owner or authorization server denied the request.',
  login_required: 'The authorization server requires end-user authentication.',
  consent_required: 'The authorization server requires end-user consent.',
  interaction_required: 'The authorization server requires end-user interaction of some form to proceed.',
  request_not_supported: 'The authorization server does not support request objects.',
  request_uri_not_supported: 'The authorization server does not support request objects by reference.',
};

/** Why a request is not granted: what the client reads as `error` and `error_description`. */
export interface Refusal {
  readonly error: RefusalCode;
  readonly description: string;
}

/** A refusal with its usual description, or a closer one. */
export const refusal = (error: RefusalCode, description = DESCRIPTIONS[error]): Refusal => ({
  error,
  description,
});

/** The refusal of a request that lacks a parameter. */
export const missing = (name: string): Refusal =>
  refusal('invalid_request', `Missing required parameter: ${name}.`);
