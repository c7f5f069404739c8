import { RESPONSE_MODES } from '../authorization/response-mode.js';
import { CLAIM_NAMES } from './claims.js';
import type { ProviderRecord } from './discovery.record.js';
import { ALGORITHM } from './keys/new-key.js';

/**
 * Returns the document of both well-known paths; `base` is the issuer (`auth-core.md` 1.11, `decisions.md`
 * OAuth).
 */
export function providerMetadata(base: string, scopes: readonly string[]): ProviderRecord {
  return {
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    revocation_endpoint: `${base}/oauth/revoke`,
    introspection_endpoint: `${base}/oauth/introspect`,
    userinfo_endpoint: `${base}/oauth/userinfo`,
    jwks_uri: `${base}/oauth/discovery/keys`,
    scopes_supported: [...scopes],
    response_types_supported: ['code'],
    response_modes_supported: [...RESPONSE_MODES],
    grant_types_supported: ['authorization_code', 'password', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [ALGORITHM],
    claim_types_supported: ['normal'],
    claims_supported: [...CLAIM_NAMES],
    code_challenge_methods_supported: ['S256'],
  };
}
