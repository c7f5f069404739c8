import { UTC_TODAY } from '#kernel/database/time.sql.js';

/** SQL condition on a personal access token: it has expired. */
export const TOKEN_EXPIRED = `coalesce(expires_at <= ${UTC_TODAY}, false)`;

/** SQL condition on a token of a user: its use has not been recorded for ten minutes. */
export const TOKEN_UNUSED = `coalesce(last_used_at < now() - interval '10 minutes', true)`;
