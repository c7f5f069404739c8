import type { ComposedMail } from './composed-mail.js';

/** Where mails go: a mail server, or files. */
export abstract class MailTransport {
  /**
   * Delivers one mail; a second time with the same mail does no harm beyond a second copy with the same Message-ID.
   * @throws PermanentFailure when the server will never take it; any other error may be gone at the next attempt
   */
  abstract send(mail: ComposedMail): Promise<void>;

  /** Lets go of connections. */
  abstract close(): void;
}
