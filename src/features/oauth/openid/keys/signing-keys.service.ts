import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { afterCommit, Transactions, type Tx } from '#kernel/database/transactions.js';
import { logger } from '#kernel/log/logger.js';
import { newKey } from './new-key.js';
import { SigningKey, type PublicJwk } from './signing-key.entity.js';
import { KEPT_AFTER_RETIREMENT, SIGNING_ROW, type SigningRow } from './signing-keys.queries.js';

/** Arbitrary number of an advisory lock that all processes of the product share. */
const KEY_LOCK = 746_274_011;

/** A key signs for three months. */
const DUE = `select sealed_private_key as sealed, created_at < now() - interval '90 days' as is_old from (${SIGNING_ROW}) k`;

interface DueRow {
  readonly sealed: string;
  readonly is_old: boolean;
}

/** Returns the purpose for which the private key with this name is sealed. */
export const sealPurpose = (kid: string): string => `oauth-signing-key:${kid}`;

/** Creates, replaces and removes the signing keys of id_tokens; one process at a time. */
@Injectable()
export class SigningKeysService {
  constructor(
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
  ) {}

  /** Returns the signing key; creates one if there is none. */
  ensure(): Promise<SigningRow> {
    return this.underLock(async (tx) => (await find(tx)) ?? this.make(tx));
  }

  /**
   * Replaces the signing key. Former ones stay in the JWKS for a while: other processes sign with them for up
   * to a minute, and these signatures must be verifiable.
   */
  rotate(): Promise<PublicJwk> {
    return this.underLock((tx) => this.replace(tx));
  }

  /**
   * Does the same if the key is due, or is sealed with a former SECRETS_KEY, which may be removed; null if
   * neither, or if no key was needed so far.
   */
  rotateWhenDue(): Promise<PublicJwk | null> {
    return this.underLock(async (tx) => {
      const [row] = await tx.query<DueRow[]>(DUE);
      return row && (row.is_old || this.box.isOutdated(row.sealed)) ? this.replace(tx) : null;
    });
  }

  /** Removes keys with which no valid token can have been signed. */
  async prune(): Promise<void> {
    await this.transactions.run((tx) =>
      tx.query(`delete from oauth_signing_keys where retired_at <= now() - ${KEPT_AFTER_RETIREMENT}`),
    );
  }

  private async replace(tx: Tx): Promise<PublicJwk> {
    await tx.query(
      'update oauth_signing_keys set retired_at = now(), updated_at = now() where retired_at is null',
    );
    return (await this.make(tx)).public_jwk;
  }

  private async make(tx: Tx): Promise<SigningRow> {
    const { jwk, privateKey } = await newKey();
    const sealed = this.box.seal(privateKey, sealPurpose(jwk.kid));
    afterCommit(tx, () => logger.info({ kid: jwk.kid }, 'A new key now signs id_tokens'));
    await tx.insert(SigningKey, { kid: jwk.kid, publicJwk: jwk, sealedPrivateKey: sealed });
    return { kid: jwk.kid, public_jwk: jwk, sealed_private_key: sealed };
  }

  private underLock<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transactions.run(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [KEY_LOCK]);
      return work(tx);
    });
  }
}

async function find(tx: Tx): Promise<SigningRow | undefined> {
  return (await tx.query<SigningRow[]>(SIGNING_ROW))[0];
}
