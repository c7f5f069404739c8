import { createHmac } from 'node:crypto';

/**
 * Derives the CSRF token of forms and `X-CSRF-Token` from the session's secret, so that pages can compute it
 * at any time.
 */
export const csrfTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('forgeplane csrf token').digest('base64url');
