import type { Mail } from '#kernel/mail/mail.js';
import { letter } from '#kernel/mail/letter.js';

/** What a mail that tells of a change of an account tells. */
export interface NoticeLetter {
  readonly to: string;
  readonly username: string;
  /** What was changed. */
  readonly what: string;
}

/** Tells the owner of an account of a change that they should know of, whoever made it. */
export const noticeLetter = ({ to, username, what }: NoticeLetter): Mail =>
  letter({
    to,
    subject: `Your ${what} has been changed`,
    greeting: 'Hello,',
    paragraphs: [`the ${what} of your account ${username} on Forgeplane has just been changed.`],
    ending: 'If you do not know of this, please tell the administrators of the site at once.',
  });
