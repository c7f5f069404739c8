import type { IssuedOauthToken } from '#core/oauth-tokens/oauth-tokens.service.js';
import { CLIENT_PARAMETERS, type SentClient } from '../client-authentication.js';
import type { FormParameters } from '../form-parameters.js';

/** Parameters of all grants. */
export const TOKEN_PARAMETERS = [
  ...CLIENT_PARAMETERS,
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'username',
  'password',
] as const;

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly form: FormParameters<(typeof TOKEN_PARAMETERS)[number]>;
  readonly client: SentClient | null;
}

/** A new token, with the `client_id` for an id_token; null without a client. */
export interface GrantedToken {
  readonly token: IssuedOauthToken;
  readonly applicationUid: string | null;
}

/** Implementation of a `grant_type`. */
export interface GrantType {
  /** Issues tokens. @throws OauthError */
  grant(request: TokenRequest): Promise<GrantedToken>;
}
