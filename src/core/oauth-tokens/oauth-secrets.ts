import { randomBytes } from 'node:crypto';

/**
 * Generates a code, access token, refresh token or `client_id`: 256 random bits as 64 lower-case hexadecimal
 * digits.
 */
export const randomHex = (): string => randomBytes(32).toString('hex');

const HEX = /^[0-9a-f]{64}$/;

/** Returns whether a credential has the form of an OAuth access token. */
export const looksLikeOauthToken = (secret: string): boolean => HEX.test(secret);
