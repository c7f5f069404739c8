import type { UselessRows } from '#kernel/database/remove-in-batches.js';

/** Links that have been unusable for a month; until then their pages explain it. */
export const USELESS_LINKS: readonly UselessRows[] = ['email_confirmations', 'password_resets'].map(
  (table) => ({
    table,
    where: `expires_at < now() - interval '30 days'`,
  }),
);
