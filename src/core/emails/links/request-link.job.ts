import { defineJob } from '#kernel/queue/job-definition.js';

/** Kinds of links that anonymous users can request. */
export type LinkKind = 'reset' | 'confirmation';

/** The sealed address as typed, which may belong to anyone. */
export type SealedRequest = Readonly<{ kind: LinkKind; sealed: string }>;

/** Returns the purpose of the seal. */
export const requestPurpose = (kind: LinkKind): string => `link request ${kind}`;

/** Looks for the account of an address and mails a link if it is eligible. */
export const RequestLinkJob = defineJob<SealedRequest>({
  name: 'emails.request-link',
  queue: 'mail',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
  timeoutMs: 30_000,
});
