import type { Mail } from '#kernel/mail/mail.js';
import { letter } from '#kernel/mail/letter.js';

/** What a mail that lets its reader choose a new password tells. */
export interface ResetLetter {
  readonly to: string;
  /** The only text of users in it: a name of their choice could carry a message to strangers. */
  readonly username: string;
  readonly url: string;
}

/** Brings the link to the page where a new password is chosen. */
export const resetLetter = ({ to, username, url }: ResetLetter): Mail =>
  letter({
    to,
    subject: 'Choose a new password',
    greeting: 'Hello,',
    paragraphs: [
      `somebody has asked for a new password for your account ${username} on Forgeplane. You can choose one within six hours, once:`,
    ],
    action: { label: 'Choose a new password', url },
    ending: 'If you did not request this, ignore this email. Your password will not change.',
  });
