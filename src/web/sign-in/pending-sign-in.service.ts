import { Injectable } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import type { PageContext } from '../page-context.js';

/** Path of the second step. */
export const SECOND_FACTOR_STEP = '/users/sign_in/second_factor';

const COOKIE = '_service_pending';
const PURPOSE = 'pending sign-in';

/** Seconds within which the second factor must be entered. */
const MAX_AGE = 300;

/** A visitor who entered the correct password and may still have to enter a second factor. */
export interface PendingVisitor {
  readonly userId: number;
  /** When that password was set: if it changes, the sign-in starts over. */
  readonly passwordChangedAt: Date | null;
  readonly remember: boolean;
}

interface Sealed {
  readonly userId: number;
  readonly remember: boolean;
  /** Milliseconds since 1970. */
  readonly passwordChangedAt: number | null;
  /** Milliseconds since 1970; after that the state is invalid, even if the browser keeps it. */
  readonly endsAt: number;
}

/**
 * The state between the two steps of a sign-in. The browser keeps it in encrypted form; only this service can
 * read it, and it is not a session.
 */
@Injectable()
export class PendingSignInService {
  constructor(private readonly box: SecretBox) {}

  /** Stores in the browser who has passed the first step. */
  seal(page: PageContext, { userId, remember, passwordChangedAt }: PendingVisitor): void {
    const state: Sealed = {
      userId,
      remember,
      passwordChangedAt: passwordChangedAt?.getTime() ?? null,
      endsAt: Date.now() + MAX_AGE * 1000,
    };
    page.setCookie(COOKIE, this.box.seal(JSON.stringify(state), PURPOSE), MAX_AGE);
  }

  /** Returns who has passed the first step in this browser within the last five minutes, or null. */
  open(page: PageContext): PendingVisitor | null {
    const sealed = page.cookie(COOKIE);
    if (sealed === null) return null;
    try {
      const { userId, remember, ...times } = JSON.parse(this.box.open(sealed, PURPOSE)) as Sealed;
      const passwordChangedAt = times.passwordChangedAt === null ? null : new Date(times.passwordChangedAt);
      return times.endsAt > Date.now() ? { userId, remember, passwordChangedAt } : null;
    } catch (error) {
      if (error instanceof SecretUnreadable) return null;
      throw error;
    }
  }

  /** Deletes that state from the browser. */
  clear(page: PageContext): void {
    if (page.cookie(COOKIE) !== null) page.setCookie(COOKIE, '', 0);
  }
}
