import type { UselessRows } from '#kernel/database/remove-in-batches.js';

/** Expired sessions. */
export const USELESS_SESSIONS: UselessRows = { table: 'sessions', where: 'expires_at <= now()' };
