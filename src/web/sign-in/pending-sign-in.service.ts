import { Injectable } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import type { PageContext } from '../page-context.js';

/** Where the second factor is asked for. */
export const SECOND_FACTOR_STEP = '/users/sign_in/second_factor';

const COOKIE = '_service_pending';
const PURPOSE = 'pending sign-in';

/** Seconds in which the second factor must be given. */
const MAX_AGE = 300;

/** Somebody who has given the right password, and may have a second factor still to give. */
export interface PendingVisitor {
  readonly userId: number;
  /** When that password had been chosen: with another one the sign-in begins anew. */
  readonly passwordChangedAt: Date | null;
  readonly remember: boolean;
}

interface Sealed {
  readonly userId: number;
  readonly remember: boolean;
  /** Milliseconds since 1970. */
  readonly passwordChangedAt: number | null;
  /** Milliseconds since 1970; from then on it is worth nothing, whatever the browser keeps. */
  readonly endsAt: number;
}

/** The state between the two steps of a sign-in: kept by the browser, readable to this service alone, no session yet. */
@Injectable()
export class PendingSignInService {
  constructor(private readonly box: SecretBox) {}

  /** Has the browser keep who has passed the first step. */
  seal(page: PageContext, { userId, remember, passwordChangedAt }: PendingVisitor): void {
    const state: Sealed = {
      userId,
      remember,
      passwordChangedAt: passwordChangedAt?.getTime() ?? null,
      endsAt: Date.now() + MAX_AGE * 1000,
    };
    page.setCookie(COOKIE, this.box.seal(JSON.stringify(state), PURPOSE), MAX_AGE);
  }

  /** Who has passed the first step in this browser, in the last five minutes; or null. */
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

  /** Has the browser forget it. */
  clear(page: PageContext): void {
    if (page.cookie(COOKIE) !== null) page.setCookie(COOKIE, '', 0);
  }
}
