import type { PublicJwk } from './signing-key.entity.js';

/** The only algorithm of id_tokens (OpenID Connect Core, 2: all clients must support it). */
export const ALGORITHM = 'RS256';

/** A new key pair: the public key to publish, and the private key as PKCS #8 text to seal. */
export interface NewKey {
  readonly jwk: PublicJwk;
  readonly privateKey: string;
}

/**
 * Generates a 2048-bit RSA key named by its thumbprint (RFC 7638). Takes about a tenth of a second, off the
 * main thread.
 */
export async function newKey(): Promise<NewKey> {
  const { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } = await import('jose');
  const pair = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true });
  const { n, e } = await exportJWK(pair.publicKey);
  if (n === undefined || e === undefined) throw new Error('The generated key is not an RSA key');
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e });
  return {
    jwk: { kty: 'RSA', kid, e, n, use: 'sig', alg: ALGORITHM },
    privateKey: await exportPKCS8(pair.privateKey),
  };
}
