import type { ComposedMail } from './composed-mail.js';

/** Destination of emails: a mail server, or files. */
export abstract class MailTransport {
  /**
   * Delivers one email. Repeating it only results in a second copy with the same Message-ID.
   * @throws PermanentFailure if the server will never accept it; any other error may be temporary
   */
  abstract send(mail: ComposedMail): Promise<void>;

  /** Closes connections. */
  abstract close(): void;
}
