import { defineJob } from '#kernel/queue/job-definition.js';

/** A mail on its way: everything in it is sealed, because links in it let people in and addresses are private. */
export type SealedMail = Readonly<{ sealed: string }>;

/** What the seal of a mail is bound to. */
export const MAIL_PURPOSE = 'mail';

/** Sends one mail. Attempts spread over two and a half hours, in which a mail server should be back. */
export const SendMailJob = defineJob<SealedMail>({
  name: 'mail.send',
  queue: 'mail',
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: 60_000,
});
