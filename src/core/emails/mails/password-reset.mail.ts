import type { Mail } from '#kernel/mail/mail.js';
import { renderMail } from '#kernel/mail/mail-template.js';

/** Content of a password-reset mail. */
export interface PasswordResetMail {
  readonly to: string;
  /** The only text from users in it: a name could carry a message to strangers. */
  readonly username: string;
  readonly url: string;
}

/** Sends the link to the page for setting a new password. */
export const passwordResetMail = ({ to, username, url }: PasswordResetMail): Mail =>
  renderMail({
    to,
    subject: 'Choose a new password',
    greeting: 'Hello,',
    paragraphs: [
      `someone requested a new password for your account ${username} on Forgeplane. This link works once, within six hours:`,
    ],
    action: { label: 'Choose a new password', url },
    ending: 'If you did not request this, ignore this email. Your password will not change.',
  });
