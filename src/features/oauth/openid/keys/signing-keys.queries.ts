import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { PublicJwk } from './signing-key.entity.js';

/**
 * How long a retired key is still published: far longer than the minute in which another process may still
 * sign with it plus the two minutes of validity of an id_token.
 */
export const KEPT_AFTER_RETIREMENT = "interval '1 hour'";

/** Row of the signing key. */
export interface SigningRow {
  readonly kid: string;
  readonly public_jwk: PublicJwk;
  readonly sealed_private_key: string;
}

/** The newest key that is not retired. */
export const SIGNING_ROW = `select kid, public_jwk, sealed_private_key, created_at from oauth_signing_keys
  where retired_at is null order by id desc limit 1`;

const SERVED = `select public_jwk from oauth_signing_keys
  where retired_at is null or retired_at > now() - ${KEPT_AFTER_RETIREMENT} order by id desc`;

/** Reads the keys of id_tokens. */
@Injectable()
export class SigningKeysQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the signing key; null before the first was needed. */
  signing(): Promise<SigningRow | null> {
    return this.database.one<SigningRow>(SIGNING_ROW, []);
  }

  /**
   * Returns the public keys, newest first. Not cached, so that a key just created by another process is
   * included.
   */
  async served(): Promise<PublicJwk[]> {
    const rows = await this.database.short<{ public_jwk: PublicJwk }>(SERVED, []);
    return rows.map((row) => row.public_jwk);
  }
}
