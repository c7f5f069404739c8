import type { Mail } from '#kernel/mail/mail.js';
import { renderMail } from '#kernel/mail/mail-template.js';

/** Content of a mail about a change of an account. */
export interface ChangeNoticeMail {
  readonly to: string;
  readonly username: string;
  /** Description of the change. */
  readonly what: string;
}

/** Notifies the owner of an account of a change, regardless of who made it. */
export const changeNoticeMail = ({ to, username, what }: ChangeNoticeMail): Mail =>
  renderMail({
    to,
    subject: `Your ${what} has been changed`,
    greeting: 'Hello,',
    paragraphs: [`the ${what} of your account ${username} on Forgeplane has just been changed.`],
    ending: 'If this wasn’t you, contact your administrator immediately.',
  });
