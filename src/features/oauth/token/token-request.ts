import type { HttpError } from '#kernel/http/errors.js';
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

/** One reason for which a request can be refused; null when it does not apply. */
export type Check<Inquiry> = (inquiry: Inquiry) => HttpError | null;

/** Asks one check after the other. @throws what the first one says that applies */
export function pass<Inquiry>(checks: readonly Check<Inquiry>[], inquiry: Inquiry): void {
  for (const check of checks) {
    const error = check(inquiry);
    if (error) throw error;
  }
}
