import type { UselessRows } from '#kernel/database/remove-in-batches.js';

/** Sessions that are over. */
export const USELESS_SESSIONS: UselessRows = { table: 'sessions', where: 'expires_at <= now()' };
