import { UTC_TODAY } from '#kernel/database/time.sql.js';
import type { Told } from '#core/users/events/account-notices.service.js';

/**
 * SQL condition: the owner of this token, which is about to expire or has within the last week, must still be
 * notified.
 */
export const UNTOLD_EXPIRY = `not revoked and not impersonation and expires_at between ${UTC_TODAY} - 7 and ${UTC_TODAY} + 7
  and (expiry_told is null or expiry_told = 'expiring' and expires_at <= ${UTC_TODAY})`;

/** Marks tokens of some users as notified: returns rows (id, user_id, name, what). */
export const noteExpirySql = (users: string): string => `update personal_access_tokens
  set expiry_told = case when expires_at <= ${UTC_TODAY} then 'expired' else 'expiring' end
  where user_id in (${users}) and ${UNTOLD_EXPIRY} returning id, user_id, name, expiry_told as what`;

/** Notices about tokens, by name. */
export interface ToldTokens extends Told {
  readonly what: 'expiring' | 'expired';
  readonly names: readonly string[];
}
