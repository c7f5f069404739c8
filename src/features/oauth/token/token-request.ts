import type { IssuedOauthToken } from '#core/oauth-tokens/oauth-tokens.service.js';
import { CLIENT_PARAMETERS, type SentClient } from '../client-authentication.js';
import type { FormParameters } from '../form-parameters.js';

/** Every parameter that some grant takes. */
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

/** What a client asks of the token endpoint. */
export interface TokenRequest {
  readonly form: FormParameters<(typeof TOKEN_PARAMETERS)[number]>;
  readonly client: SentClient | null;
}

/** A token just made, with the `client_id` that an id_token of it would be for; null without a client. */
export interface GrantedToken {
  readonly token: IssuedOauthToken;
  readonly applicationUid: string | null;
}

/** One value of `grant_type`. */
export interface GrantType {
  /** @throws OauthError */
  grant(request: TokenRequest): Promise<GrantedToken>;
}
