import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { AlertIntegration } from '../alert-integration.entity.js';

/** The integration of a key, as known before its row exists. */
type Owner = Pick<AlertIntegration, 'projectId' | 'endpointIdentifier' | 'type'>;

/** A key as stored in its row. */
type StoredKey = Pick<AlertIntegration, 'keySealed' | 'keyDigest'>;

const purpose = ({ projectId, endpointIdentifier }: Owner): string =>
  `project:${projectId}:alert_integration:${endpointIdentifier}`;

/**
 * Manages keys of integrations: sealed, so that Maintainers can read them again, and as a digest for the
 * intake.
 */
@Injectable()
export class IntegrationKeysService {
  constructor(private readonly box: SecretBox) {}

  /** Generates a key: 128 random bits as 32 lower-case hexadecimal digits. */
  make(owner: Owner): StoredKey {
    return this.store(owner, randomBytes(16).toString('hex'));
  }

  /** Stores a given key; that of an external tool is not valid for the intake. */
  store(owner: Owner, key: string): StoredKey {
    const keyDigest = owner.type === 'external' ? null : digestToken(key);
    return { keySealed: this.box.seal(key, purpose(owner)), keyDigest };
  }

  /** Opens the key of a row; null if it has none. */
  reveal(row: Owner & Pick<StoredKey, 'keySealed'>): string | null {
    return row.keySealed === null ? null : this.box.open(row.keySealed, purpose(row));
  }
}
