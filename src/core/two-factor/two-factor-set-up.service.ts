import { Injectable } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import { newTotpSecret, totpUri } from './codes/totp.js';

/** Data that a page shows to add an authenticator. */
export interface TwoFactorSetUp {
  /** Base32, for typing. */
  readonly secret: string;
  /** As an `otpauth://` URI, for the QR code. */
  readonly uri: string;
  /** Sealed for the form: only this user can send it back, only in this session, for an hour. */
  readonly sealed: string;
}

/** User and session that set up a second factor. */
export interface SetUpOwner {
  readonly userId: number;
  readonly sessionId: number;
}

const LIFETIME_MS = 60 * 60_000;

const purpose = ({ userId, sessionId }: SetUpOwner): string => `two-factor:set-up:${userId}:${sessionId}`;

/**
 * Manages secrets between the page that shows them and the code that proves them. They are sealed in the
 * form, so that nothing is stored before the proof, and each tab confirms the secret that it shows.
 */
@Injectable()
export class TwoFactorSetUpService {
  private readonly issuer: string;

  constructor(
    private readonly box: SecretBox,
    config: Config,
  ) {
    this.issuer = `Forgeplane ${new URL(config.externalUrl).host}`;
  }

  /** Creates a secret. */
  begin(owner: SetUpOwner, username: string): TwoFactorSetUp {
    const secret = newTotpSecret();
    const sealed = this.box.seal(`${Date.now()}:${secret}`, purpose(owner));
    return this.describe(secret, sealed, username);
  }

  /**
   * Opens the secret of a submitted form; null if it is too old, was changed, or belongs to another session.
   */
  reopen(sealed: string, owner: SetUpOwner, username: string): TwoFactorSetUp | null {
    let text: string;
    try {
      text = this.box.open(sealed, purpose(owner));
    } catch (error) {
      if (error instanceof SecretUnreadable) return null;
      throw error;
    }
    const separator = text.indexOf(':');
    const age = Date.now() - Number(text.slice(0, separator));
    return age > LIFETIME_MS ? null : this.describe(text.slice(separator + 1), sealed, username);
  }

  private describe(secret: string, sealed: string, username: string): TwoFactorSetUp {
    return { secret, uri: totpUri(secret, this.issuer, username), sealed };
  }
}
