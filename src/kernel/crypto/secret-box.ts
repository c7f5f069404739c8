import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Config } from '#kernel/config/config.js';
import { loadSecretsKey } from './secrets-key.js';

/** Layout: version, key id, nonce, tag, ciphertext; base64url. */
const VERSION = 1;
const KEY_ID = { start: 1, end: 5 };
const NONCE = { start: 5, end: 17 };
const TAG = { start: 17, end: 33 };
const MIN_KEY_LENGTH = 32;

interface Key {
  readonly fingerprint: string;
  readonly id: Buffer;
  readonly secret: Buffer;
}

/**
 * An encrypted secret cannot be decrypted: it is damaged, was encrypted for another purpose, or with a key
 * that is not configured.
 */
export class SecretUnreadable extends Error {
  constructor(reason: string) {
    super(`A stored secret cannot be read: ${reason}`);
  }
}

/**
 * Encrypts secrets at rest with AES-256-GCM. SECRETS_KEY may list several keys: the first one encrypts, all
 * of them decrypt.
 */
@Injectable()
export class SecretBox {
  private readonly current: Key;
  private readonly keys: ReadonlyMap<string, Key>;
  private readonly oldest: string;
  /** Fingerprints of all keys, the encrypting one first; the keys cannot be derived from them. */
  readonly fingerprints: readonly string[];
  /** First six characters of values encrypted with each key: version and most of the key id. */
  readonly prefixes: readonly string[];

  constructor(config: Config) {
    const texts = splitKeys(loadSecretsKey(config));
    const keys = texts.map(deriveKey);
    const [current] = keys;
    const oldest = texts.at(-1);
    if (!current || oldest === undefined) throw new Error('SECRETS_KEY is empty');
    this.oldest = oldest;
    this.current = current;
    this.fingerprints = keys.map(({ fingerprint }) => fingerprint);
    this.prefixes = keys.map(({ id }) =>
      Buffer.of(VERSION, ...id)
        .toString('base64url')
        .slice(0, 6),
    );
    this.keys = new Map(keys.map((key) => [key.id.toString('hex'), key]));
  }

  /**
   * Encrypts `secret` bound to `purpose` (such as `integration:7:token`), so that it cannot be decrypted for
   * any other.
   */
  seal(secret: string, purpose: string): string {
    const nonce = randomBytes(NONCE.end - NONCE.start);
    const cipher = createCipheriv('aes-256-gcm', this.current.secret, nonce);
    const header = Buffer.concat([Buffer.of(VERSION), this.current.id]);
    cipher.setAAD(associatedData(header, purpose));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([header, nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** @throws SecretUnreadable */
  open(sealed: string, purpose: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < TAG.end || bytes[0] !== VERSION) throw new SecretUnreadable('unknown format');
    const key = this.keys.get(bytes.subarray(KEY_ID.start, KEY_ID.end).toString('hex'));
    if (!key) throw new SecretUnreadable('its key is not configured');
    const decipher = createDecipheriv('aes-256-gcm', key.secret, bytes.subarray(NONCE.start, NONCE.end));
    decipher.setAAD(associatedData(bytes.subarray(0, KEY_ID.end), purpose));
    decipher.setAuthTag(bytes.subarray(TAG.start, TAG.end));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(TAG.end)), decipher.final()]).toString('utf8');
    } catch {
      throw new SecretUnreadable('damaged, or sealed for another purpose');
    }
  }

  /**
   * Derives a secret of 32 bytes that is stored nowhere. It stays the same for a purpose as long as the
   * oldest configured key stays; adding a newer key in front changes nothing.
   */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.oldest, 'forgeplane', `derived ${purpose}`, 32));
  }

  /** Whether a secret was encrypted with an older key and should be re-encrypted. */
  isOutdated(sealed: string): boolean {
    const id = Buffer.from(sealed, 'base64url').subarray(KEY_ID.start, KEY_ID.end);
    return !id.equals(this.current.id);
  }
}

/** `new,old`; a single key may contain commas as long as its pieces are too short to be keys. */
function splitKeys(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => part.length >= MIN_KEY_LENGTH) ? parts : [text];
}

function deriveKey(text: string): Key {
  const derive = (info: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', text, 'forgeplane', info, length));
  return {
    fingerprint: derive('secret-box fingerprint', 16).toString('hex'),
    id: derive('secret-box key id', 4),
    secret: derive('secret-box aes-256-gcm', 32),
  };
}

function associatedData(header: Buffer, purpose: string): Buffer {
  return Buffer.concat([header, Buffer.from(purpose, 'utf8')]);
}
