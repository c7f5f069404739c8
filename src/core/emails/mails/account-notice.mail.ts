import type { NoticeContent } from '#core/users/events/account-notice.event.js';
import { renderMail } from '#kernel/mail/mail-template.js';
import type { Mail } from '#kernel/mail/mail.js';

/** Content of a notice mail. */
export interface AccountNoticeMail {
  readonly to: string;
  readonly username: string;
  readonly content: NoticeContent;
  readonly at: Date;
}

/** Limit of names in a sentence. */
const MOST_NAMES = 100;

/**
 * Notifies the owner of an account of an event. Without a link, so that users do not get used to following
 * links in such mails.
 */
export const accountNoticeMail = ({ to, username, content, at }: AccountNoticeMail): Mail => {
  const [subject, sentence] = wordsOf(content, username, at);
  return renderMail({
    to,
    subject,
    greeting: 'Hello,',
    paragraphs: [sentence],
    ending: isForeseen(content)
      ? 'You receive this email regardless of your notification settings.'
      : 'If this wasn’t you, change your password and contact your administrator immediately.',
  });
};

function wordsOf(
  content: NoticeContent,
  username: string,
  at: Date,
): readonly [subject: string, sentence: string] {
  const account = `your account ${username} on Forgeplane`;
  switch (content.kind) {
    case 'email_added':
      return [
        'An e-mail address was added',
        `the address ${content.address} has just been added to ${account}.`,
      ];
    case 'token_created':
      return [
        'An access token was created',
        `a personal access token named "${content.name}" has just been created for ${account}.`,
      ];
    case 'token_replaced':
      return [
        'An access token was replaced',
        `the personal access token "${content.name}" of ${account} has just been replaced by a new one.`,
      ];
    case 'token_revoked':
      return [
        'An access token was revoked',
        `the personal access token "${content.name}" of ${account} has just been revoked.`,
      ];
    case 'tokens_expiring':
      return [
        'Your access tokens will expire in 7 days or less',
        `the following personal access tokens of ${account} expire within seven days: ${listed(content.names)}.`,
      ];
    case 'tokens_expired':
      return [
        'Your access tokens have expired',
        `the following personal access tokens of ${account} have expired: ${listed(content.names)}.`,
      ];
    case 'resource_tokens_expiring':
      return [
        'Access tokens will expire in 7 days or less',
        `the following access tokens of the ${content.container} on Forgeplane expire within seven days: ${listed(content.names)}.`,
      ];
    case 'resource_tokens_expired':
      return [
        'Access tokens have expired',
        `the following access tokens of the ${content.container} on Forgeplane have expired: ${listed(content.names)}.`,
      ];
    case 'key_added':
      return [
        'An SSH key was added',
        `the SSH key "${content.title}" (${content.fingerprint}) has just been added to ${account}.`,
      ];
    case 'keys_expired':
      return [
        'Your SSH keys have expired',
        `the following SSH keys of ${account} have expired: ${listed(content.names)}.`,
      ];
    case 'two_factor_disabled':
      return [
        'Two-factor authentication was disabled',
        `the two-factor authentication of ${account} has just been disabled.`,
      ];
    case 'unknown_sign_in':
      return [
        'Sign-in from a new location',
        `${account} was signed in to from a new location: ${content.ip ?? 'unknown'}, ${at.toISOString()}.`,
      ];
    case 'wrong_code':
      return [
        'A wrong two-factor code was entered',
        `someone who knows the password of ${account} entered a wrong two-factor code: ${content.ip ?? 'unknown'}, ${at.toISOString()}.`,
      ];
  }
}

const isForeseen = ({ kind }: NoticeContent): boolean => /expir/.test(kind);

function listed(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
