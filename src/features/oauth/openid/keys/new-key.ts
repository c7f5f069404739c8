import type { PublicJwk } from './signing-key.entity.js';

/** The one algorithm of id_tokens (OpenID Connect Core, 2: every client must know it). */
export const ALGORITHM = 'RS256';

/** A key pair just made: the public half to publish, the private one as PKCS #8 text to be sealed. */
export interface NewKey {
  readonly jwk: PublicJwk;
  readonly privateKey: string;
}

/** Makes an RSA key of 2048 bits, named by its thumbprint (RFC 7638). It takes about a tenth of a second, off the main thread. */
export async function newKey(): Promise<NewKey> {
  const { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } = await import('jose');
  const pair = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true });
  const { n, e } = await exportJWK(pair.publicKey);
  if (n === undefined || e === undefined) throw new Error('The key that was made is no RSA key');
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e });
  return {
    jwk: { kty: 'RSA', kid, e, n, use: 'sig', alg: ALGORITHM },
    privateKey: await exportPKCS8(pair.privateKey),
  };
}
