import { defineJob } from '#kernel/queue/job-definition.js';
import { MAIL_JOB_TIMEOUT_MS } from './mail-transport.js';

/**
 * An email in the queue. All of it is encrypted, because its links may grant access and addresses are
 * private.
 */
export type SealedMail = Readonly<{ sealed: string }>;

/** Purpose to which the encryption of an email is bound. */
export const MAIL_PURPOSE = 'mail';

/**
 * Sends one email. Attempts are spread over two and a half hours, within which a mail server should be back.
 */
export const SendMailJob = defineJob<SealedMail>({
  name: 'mail.send',
  queue: 'mail',
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: MAIL_JOB_TIMEOUT_MS,
});
