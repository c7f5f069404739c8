import type { ComposedMail } from './composed-mail.js';

/** Milliseconds in which a mail server must have taken an email: it may wait ten minutes before it confirms one. */
export const MAIL_TIMEOUT_MS = 900_000;

/**
 * Timeout of a job that sends an email, in milliseconds. It waits for those of all other jobs of its process,
 * which take turns on a few connections.
 */
export const MAIL_JOB_TIMEOUT_MS = 8 * MAIL_TIMEOUT_MS;

/** Destination of emails: a mail server, or files. */
export abstract class MailTransport {
  /**
   * Delivers one email, composed when its turn comes: how long it waits depends on the server, and its reader
   * may lose rights in that time. Returns whether one was sent: not if `compose` returns null. A repeated
   * delivery only results in a second copy with the same Message-ID. An abort ends it at once.
   * @throws PermanentFailure if the server will never accept it; any other error may be temporary
   */
  abstract send(compose: () => Promise<ComposedMail | null>, signal: AbortSignal): Promise<boolean>;

  /** Closes connections. */
  abstract close(): void;
}
