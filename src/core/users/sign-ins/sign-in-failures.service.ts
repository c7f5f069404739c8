import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { User } from '../user.entity.js';

/** Consecutive wrong passwords and codes that lock an account. */
const MAX_FAILURES = 10;

const LOCK_MS = 10 * 60_000;

/** Facts that decide whether an account is locked. */
type Attempts = Pick<User, 'id' | 'failedAttempts' | 'lockedAt'>;

/**
 * Returns whether wrong passwords or codes have locked the account, for ten minutes from the last of them.
 */
export const isLocked = ({ lockedAt }: Pick<User, 'lockedAt'>): boolean =>
  lockedAt !== null && Date.now() - lockedAt.getTime() < LOCK_MS;

/**
 * Counts wrong passwords and wrong second factors of a user together; the caller holds the lock of the user's
 * row.
 */
@Injectable()
export class SignInFailuresService {
  /** Counts a failure of an account that is not locked. @returns whether this one locks it */
  async count(tx: Tx, user: Attempts): Promise<boolean> {
    // After the end of a lock the count restarts.
    const failedAttempts = (user.lockedAt === null ? user.failedAttempts : 0) + 1;
    const locks = failedAttempts >= MAX_FAILURES;
    await tx.update(User, { id: user.id }, { failedAttempts, lockedAt: locks ? new Date() : null });
    return locks;
  }

  /** Resets the count after a complete sign-in. */
  async clear(tx: Tx, user: Attempts): Promise<void> {
    if (user.failedAttempts === 0 && user.lockedAt === null) return;
    await tx.update(User, { id: user.id }, { failedAttempts: 0, lockedAt: null });
  }
}
