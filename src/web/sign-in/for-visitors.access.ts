import type { AccessRule } from '#kernel/access/access.js';

/**
 * Access to the steps of a sign-in, also for those who have signed in and must do something first: otherwise
 * they would look signed out, and the session that they have would not end.
 */
export const FOR_VISITORS = {
  page: 'open',
  expiredPassword: true,
  withoutSecondFactor: true,
} as const satisfies AccessRule;
