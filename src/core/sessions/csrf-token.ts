import { createHmac } from 'node:crypto';

/** The token that forms and `X-CSRF-Token` must carry: made of the session's secret, so that pages can write it at any time. */
export const csrfTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('forgeplane csrf token').digest('base64url');
