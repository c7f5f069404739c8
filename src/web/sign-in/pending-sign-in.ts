import { Injectable } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import type { PageContext } from '../page-context.js';

/** Where the second factor is asked for. */
export const SECOND_FACTOR_STEP = '/users/sign_in/second_factor';

const COOKIE = '_service_pending';
const PURPOSE = 'pending sign-in';

/** Seconds in which the second factor must be given. */
const MAX_AGE = 300;

/** Somebody who has given the right password, and has a second factor still to give. */
export interface PendingVisitor {
  readonly userId: number;
  readonly remember: boolean;
}

interface Sealed extends PendingVisitor {
  /** Milliseconds since 1970; from then on it is worth nothing, whatever the browser keeps. */
  readonly endsAt: number;
}

/** The state between the two steps of a sign-in: kept by the browser, readable to this service alone, no session yet. */
@Injectable()
export class PendingSignIn {
  constructor(private readonly box: SecretBox) {}

  /** Has the browser keep who has passed the first step. */
  seal(page: PageContext, { userId, remember }: PendingVisitor): void {
    const state: Sealed = { userId, remember, endsAt: Date.now() + MAX_AGE * 1000 };
    page.setCookie(COOKIE, this.box.seal(JSON.stringify(state), PURPOSE), MAX_AGE);
  }

  /** Who has passed the first step in this browser, in the last five minutes; or null. */
  open(page: PageContext): PendingVisitor | null {
    const sealed = page.cookie(COOKIE);
    if (sealed === null) return null;
    try {
      const { userId, remember, endsAt } = JSON.parse(this.box.open(sealed, PURPOSE)) as Sealed;
      return endsAt > Date.now() ? { userId, remember } : null;
    } catch (error) {
      if (error instanceof SecretUnreadable) return null;
      throw error;
    }
  }

  /** Has the browser forget it. */
  clear(page: PageContext): void {
    if (page.cookie(COOKIE) !== null) page.setCookie(COOKIE, '', 0);
  }
}
