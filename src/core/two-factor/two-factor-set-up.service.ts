import { Injectable } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import { newTotpSecret, totpUri } from './codes/totp.js';

/** What a page shows to somebody who is about to add an authenticator. */
export interface TwoFactorSetUp {
  /** Base32, for typing. */
  readonly secret: string;
  /** The same as `otpauth://` address, for the QR code. */
  readonly uri: string;
  /** The same for the form: only this user can send it back, only in this session, for an hour. */
  readonly sealed: string;
}

/** Whose browser sets up a second factor. */
export interface SetUpOwner {
  readonly userId: number;
  readonly sessionId: number;
}

const LIFETIME_MS = 60 * 60_000;

const purpose = ({ userId, sessionId }: SetUpOwner): string => `two-factor:set-up:${userId}:${sessionId}`;

/**
 * Secrets on their way from the page that shows them to the code that proves them. They travel sealed in the form, so that
 * nothing is stored before the proof and each tab confirms the secret that it shows.
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

  /** A fresh secret. */
  begin(owner: SetUpOwner, username: string): TwoFactorSetUp {
    const secret = newTotpSecret();
    const sealed = this.box.seal(`${Date.now()}:${secret}`, purpose(owner));
    return this.describe(secret, sealed, username);
  }

  /** The secret of a form that came back, or null when it is too old, was changed, or is not this session's. */
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
