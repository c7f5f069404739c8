import { COMMON_DESCRIPTIONS } from '../oauth-error.js';

/**
 * Error codes of the authorization endpoint (RFC 6749 4.1.2.1, OpenID Connect core 3.1.2.6, `auth-core.md`
 * 1.2).
 */
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

/** Default descriptions (`auth-core.md` 1.4); without quotes and line ends, which RFC 6749 forbids. */
const DESCRIPTIONS: Readonly<Record<RefusalCode, string>> = {
  ...COMMON_DESCRIPTIONS,
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  invalid_redirect_uri: 'The redirect URI included is not valid.',
  unsupported_response_type: 'The authorization server does not support this response type.',
  unsupported_response_mode: 'The authorization server does not support this response mode.',
  invalid_code_challenge_method: 'The code challenge method must be S256.',
  access_denied: 'The resource owner or authorization server denied the request.',
  login_required: 'The authorization server requires end-user authentication.',
  consent_required: 'The authorization server requires end-user consent.',
  interaction_required: 'The authorization server requires end-user interaction of some form to proceed.',
  request_not_supported: 'The authorization server does not support request objects.',
  request_uri_not_supported: 'The authorization server does not support request objects by reference.',
};

/** Reason for refusing a request: `error` and `error_description` for the client. */
export interface Refusal {
  readonly error: RefusalCode;
  readonly description: string;
}

/** Creates a refusal with the default or a given description. */
export const refusal = (error: RefusalCode, description = DESCRIPTIONS[error]): Refusal => ({
  error,
  description,
});

/** Creates the refusal for a missing parameter. */
export const missing = (name: string): Refusal =>
  refusal('invalid_request', `Missing required parameter: ${name}.`);
