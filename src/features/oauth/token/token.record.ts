import { Count, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { IssuedOauthToken } from '#core/oauth-tokens/oauth-tokens.service.js';
import { epochSeconds } from '../epoch-seconds.js';

/** Response of the token endpoint (`api-v4.md` 2.4, RFC 6749 5.1). */
export class TokenRecord {
  @Text()
  access_token!: string;

  @OneOf(['bearer'])
  token_type!: 'bearer';

  @Count({ description: 'Seconds' })
  expires_in!: number;

  @Text({ optional: true, description: 'Absent in the answer to a password grant' })
  refresh_token?: string;

  @Text({ description: 'Names of scopes, separated by spaces' })
  scope!: string;

  @Count({ description: 'Seconds since 1970' })
  created_at!: number;

  @Text({ optional: true, description: 'Only if the scopes include `openid`' })
  id_token?: string;
}

/** Presents a new token. */
export function presentIssued(token: IssuedOauthToken, idToken: string | null): TokenRecord {
  return {
    access_token: token.accessToken,
    token_type: 'bearer',
    expires_in: token.expiresIn,
    ...(token.refreshToken === null ? {} : { refresh_token: token.refreshToken }),
    scope: token.scopes.join(' '),
    created_at: epochSeconds(token.createdAt),
    ...(idToken === null ? {} : { id_token: idToken }),
  };
}
