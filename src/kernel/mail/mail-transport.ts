import type { ComposedMail } from './composed-mail.js';

/** Timeout of a job that sends an email, in milliseconds: a mail server may wait ten minutes before it confirms one. */
export const MAIL_TIMEOUT_MS = 900_000;

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
