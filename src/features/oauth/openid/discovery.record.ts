import { Text } from '#kernel/http/fields/scalar-fields.js';
import { List, ListOf } from '#kernel/http/fields/composite-fields.js';

/** Metadata of the provider (OpenID Connect Discovery, 3; RFC 8414, 2). */
export class ProviderRecord {
  @Text()
  issuer!: string;

  @Text()
  authorization_endpoint!: string;

  @Text()
  token_endpoint!: string;

  @Text()
  revocation_endpoint!: string;

  @Text()
  introspection_endpoint!: string;

  @Text()
  userinfo_endpoint!: string;

  @Text()
  jwks_uri!: string;

  @List(Text())
  scopes_supported!: string[];

  @List(Text())
  response_types_supported!: string[];

  @List(Text())
  response_modes_supported!: string[];

  @List(Text())
  grant_types_supported!: string[];

  @List(Text())
  token_endpoint_auth_methods_supported!: string[];

  @List(Text())
  subject_types_supported!: string[];

  @List(Text())
  id_token_signing_alg_values_supported!: string[];

  @List(Text())
  claim_types_supported!: string[];

  @List(Text())
  claims_supported!: string[];

  @List(Text())
  code_challenge_methods_supported!: string[];
}

/** A public key to verify id_tokens (RFC 7517). */
export class JwkRecord {
  @Text()
  kty!: string;

  @Text()
  kid!: string;

  @Text()
  e!: string;

  @Text()
  n!: string;

  @Text()
  use!: string;

  @Text()
  alg!: string;
}

/** The set of public keys. */
export class JwksRecord {
  @ListOf(() => JwkRecord)
  keys!: JwkRecord[];
}
