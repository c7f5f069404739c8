import type { Mail } from '#kernel/mail/mail.js';
import { renderMail } from '#kernel/mail/mail-template.js';

/** Content of a confirmation mail. */
export interface ConfirmationMail {
  readonly to: string;
  /** The only text from users in it: a name could carry a message to strangers. */
  readonly username: string;
  /** Leads to a page with a button, so that programs that open links automatically confirm nothing. */
  readonly url: string;
}

/** Asks the reader to confirm the address, and names the account, which another person may have created. */
export const confirmationMail = ({ to, username, url }: ConfirmationMail): Mail =>
  renderMail({
    to,
    subject: 'Confirm your e-mail address',
    greeting: 'Hello,',
    paragraphs: [
      `${to} was added as an e-mail address of the account ${username} on Forgeplane. If this is your account, please confirm the address within three days:`,
    ],
    action: { label: 'Confirm the address', url },
    ending:
      'If you don’t recognize this account, ignore this email: the address is not used until you confirm it.',
  });
