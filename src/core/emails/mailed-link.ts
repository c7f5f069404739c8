/** Characters of a token in a mailed link, 192 random bits. */
export const TOKEN_LENGTH = 32;

const HOUR_MS = 3_600_000;

/** How long an address can be confirmed by one mail. */
export const CONFIRMATION_LIFE_MS = 72 * HOUR_MS;

/** How long one mail lets its reader choose a new password. */
export const RESET_LIFE_MS = 6 * HOUR_MS;

/** The columns of the tables of links that decide whether one still opens anything. */
export interface MailedLink {
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** Whether a link was neither used nor has become too old. */
export const isOpen = ({ expiresAt, usedAt }: MailedLink): boolean =>
  usedAt === null && expiresAt.getTime() > Date.now();
