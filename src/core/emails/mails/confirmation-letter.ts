import type { Mail } from '#kernel/mail/mail.js';
import { letter } from '#kernel/mail/letter.js';

/** What a mail that asks to confirm an address tells. */
export interface ConfirmationLetter {
  readonly to: string;
  /** The only text of users in it: a name of their choice could carry a message to strangers. */
  readonly username: string;
  /** Leads to a page with a button: programs that open links by themselves confirm nothing. */
  readonly url: string;
}

/** Asks the reader whether the address is theirs, naming the account: it may be one that somebody else has made. */
export const confirmationLetter = ({ to, username, url }: ConfirmationLetter): Mail =>
  letter({
    to,
    subject: 'Confirm your e-mail address',
    greeting: 'Hello,',
    paragraphs: [
      `the account ${username} on Forgeplane has named ${to} as its e-mail address. If that is your account, please confirm the address within three days:`,
    ],
    action: { label: 'Confirm the address', url },
    ending:
      'If you don’t recognize this account, ignore this email: the address is not used until you confirm it.',
  });
