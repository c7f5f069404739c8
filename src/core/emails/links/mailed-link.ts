import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { User } from '#core/users/user.entity.js';
import type { EmailConfirmation } from './email-confirmation.entity.js';
import type { MailedLink } from './mailed-link.entity.js';
import type { PasswordReset } from './password-reset.entity.js';

/** Length of a token in a mailed link: 192 random bits. */
const TOKEN_LENGTH = 32;

const HOUR_MS = 3_600_000;

/** Validity of a confirmation link. */
export const CONFIRMATION_LIFE_MS = 72 * HOUR_MS;

/** Validity of a password-reset link. */
export const RESET_LIFE_MS = 6 * HOUR_MS;

/** Creates a link of a user to be mailed to an address. @returns its token, which is never stored */
export async function addLink(
  tx: Tx,
  kind: typeof EmailConfirmation | typeof PasswordReset,
  { id: userId }: User,
  address: string,
  lifeMs: number,
): Promise<string> {
  const token = randomToken('', TOKEN_LENGTH);
  const expiresAt = new Date(Date.now() + lifeMs);
  await tx.insert(kind, { userId, address, digest: digestToken(token), expiresAt });
  return token;
}

/** Returns whether a link is unused and has not expired. */
export const isOpen = ({ expiresAt, usedAt }: MailedLink): boolean =>
  usedAt === null && expiresAt.getTime() > Date.now();
