import { Injectable } from '@nestjs/common';
import type { CryptoKey } from 'jose';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { ALGORITHM } from './new-key.js';
import { SigningKeysQueries } from './signing-keys.queries.js';
import { sealPurpose, SigningKeysService } from './signing-keys.service.js';

/** Time after which a process checks whether another has rotated the keys. */
const MAX_AGE_MS = 60_000;

/** A key ready to sign. */
export interface OpenKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** The signing key, opened once and cached in memory. */
@Injectable()
export class CurrentKeyService {
  private key: OpenKey | null = null;
  private checkedAt = 0;
  private loading: Promise<OpenKey> | null = null;

  constructor(
    private readonly queries: SigningKeysQueries,
    private readonly service: SigningKeysService,
    private readonly box: SecretBox,
  ) {}

  /**
   * Returns the signing key; creates one if there is none. @throws SecretUnreadable if SECRETS_KEY is not the
   * one it was sealed with
   */
  async get(): Promise<OpenKey> {
    if (this.key && performance.now() - this.checkedAt < MAX_AGE_MS) return this.key;
    this.loading ??= this.load().finally(() => (this.loading = null));
    return this.loading;
  }

  private async load(): Promise<OpenKey> {
    const row = (await this.queries.signing()) ?? (await this.service.ensure());
    if (this.key?.kid !== row.kid) {
      // Load this library with the first id_token.
      const { importPKCS8 } = await import('jose');
      const text = this.box.open(row.sealed_private_key, sealPurpose(row.kid));
      this.key = { kid: row.kid, privateKey: await importPKCS8(text, ALGORITHM) };
    }
    this.checkedAt = performance.now();
    return this.key;
  }
}
