import { defineJob } from '#kernel/queue/job-definition.js';

/** The address that somebody has typed, sealed: it may be anybody's. */
export type SealedAddress = Readonly<{ sealed: string }>;

/** What the seal is bound to. */
export const REQUEST_PURPOSE = 'password reset request';

/** Looks for the account of an address and mails it a link, if there is one. */
export const RequestPasswordReset = defineJob<SealedAddress>({
  name: 'emails.request-password-reset',
  queue: 'mail',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
  timeoutMs: 30_000,
});
