import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { PublicJwk } from './signing-key.entity.js';

/**
 * How long a key that signs no more is still served: far longer than the minute for which another process may go on signing with
 * it, and the two minutes for which an id_token is valid.
 */
export const KEPT_AFTER_RETIREMENT = "interval '1 hour'";

/** The key that signs. */
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

  /** The key that signs; null before the first was needed. */
  signing(): Promise<SigningRow | null> {
    return this.database.one<SigningRow>(SIGNING_ROW, []);
  }

  /** Public keys to verify with, newest first. Read each time: a key that another process has just made is there at once. */
  async served(): Promise<PublicJwk[]> {
    const rows = await this.database.short<{ public_jwk: PublicJwk }>(SERVED, []);
    return rows.map((row) => row.public_jwk);
  }
}
