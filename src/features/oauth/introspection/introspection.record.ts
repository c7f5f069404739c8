import { Count, Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/**
 * Result of an introspection (RFC 7662 2.2): only `active` if the token is invalid or hidden from the caller.
 */
export class IntrospectionRecord {
  @Flag()
  active!: boolean;

  @Text({ optional: true, description: 'Names of scopes, separated by spaces' })
  scope?: string;

  @Text({ optional: true, nullable: true, description: 'Null for a token that was not issued to a client' })
  client_id?: string | null;

  @OneOf(['Bearer'], { optional: true })
  token_type?: 'Bearer';

  @Count({
    optional: true,
    description: 'Seconds since 1970; absent for refresh tokens, which do not expire',
  })
  exp?: number;

  @Count({ optional: true, description: 'Seconds since 1970' })
  iat?: number;
}
