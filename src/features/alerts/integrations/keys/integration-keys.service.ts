import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { AlertIntegration } from '../alert-integration.entity.js';

/** Which integration a key is of, as it is known before the row is there. */
type Owner = Pick<AlertIntegration, 'projectId' | 'endpointIdentifier' | 'type'>;

/** A key as its row holds it. */
type StoredKey = Pick<AlertIntegration, 'keySealed' | 'keyDigest'>;

const purpose = ({ projectId, endpointIdentifier }: Owner): string =>
  `project:${projectId}:alert_integration:${endpointIdentifier}`;

/** Keys of integrations: sealed, so that Maintainers can read them again, and as a digest for the intake. */
@Injectable()
export class IntegrationKeysService {
  constructor(private readonly box: SecretBox) {}

  /** A new key: 128 random bits as 32 characters of lower-case hex. */
  make(owner: Owner): StoredKey {
    return this.store(owner, randomBytes(16).toString('hex'));
  }

  /** A key that somebody has named; that of a tool outside lets nobody in here. */
  store(owner: Owner, key: string): StoredKey {
    const keyDigest = owner.type === 'external' ? null : digestToken(key);
    return { keySealed: this.box.seal(key, purpose(owner)), keyDigest };
  }

  /** The key of a row; null where it has none. */
  reveal(row: Owner & Pick<StoredKey, 'keySealed'>): string | null {
    return row.keySealed === null ? null : this.box.open(row.keySealed, purpose(row));
  }
}
