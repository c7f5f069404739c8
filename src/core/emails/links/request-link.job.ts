import { defineJob } from '#kernel/queue/job-definition.js';

/** What somebody who is not signed in can ask to be mailed to an address. */
export type LinkKind = 'reset' | 'confirmation';

/** The address that somebody has typed, sealed: it may be anybody's. */
export type SealedRequest = Readonly<{ kind: LinkKind; sealed: string }>;

/** What the seal is bound to. */
export const requestPurpose = (kind: LinkKind): string => `link request ${kind}`;

/** Looks for the account of an address and mails it a link, if there is one that may have it. */
export const RequestLinkJob = defineJob<SealedRequest>({
  name: 'emails.request-link',
  queue: 'mail',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
  timeoutMs: 30_000,
});
