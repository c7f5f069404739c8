import { NOT_SAVED } from '#kernel/html/visit.js';

/** A message shown once, on the page after an action. */
export interface Flash {
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
}

const good = (text: string): Flash => ({ tone: 'good', text });
const bad = (text: string): Flash => ({ tone: 'bad', text });
const plain = (text: string): Flash => ({ tone: 'plain', text });

/** All messages. The cookie only holds the key of one, so that text cannot be injected into a page. */
const MESSAGES = {
  signed_out: plain('You have signed out.'),
  reactivated: good('Welcome back. Your account is active again.'),
  password_changed: good('Your password has been changed. Other browsers have been signed out.'),
  sign_in_locked: bad('Too many wrong codes: your account is locked for ten minutes.'),
  sign_in_again: plain('That took too long. Please sign in again.'),
  [NOT_SAVED]: bad(
    'Your session had ended, so what you sent was not saved. Sign in to get back to the form, and send it again.',
  ),
  saved: good('Your changes have been saved.'),
  email_added: good('The address has been added. We have sent a confirmation link to it.'),
  email_removed: good('The address has been removed.'),
  email_confirmed: good('The address has been confirmed.'),
  email_sent_again: plain('We have sent another mail with a link.'),
  email_limit: bad('Too many mails have been sent lately. Please try again in an hour.'),
  email_taken: bad('Another user has already confirmed this address.'),
  email_link_bad: bad('This link is no longer valid. Please ask for a new one.'),
  mail_sent: plain('If the address belongs to an account, a mail with further steps is on its way.'),
  password_reset: good('Your password has been changed. Please sign in with it.'),
  token_revoked: good('The access token has been revoked.'),
  application_updated: good('The application has been saved.'),
  application_removed: good('The application has been removed.'),
  authorization_revoked: good('The application no longer has access to your account.'),
  moves_scheduled: good('The moves are being scheduled. They appear here one by one.'),
  move_scheduled: good('The move has been scheduled.'),
  job_retried: good('The job will run again as soon as a worker is free.'),
  job_discarded: good('The job has been discarded.'),
  queue_paused: good('The queue is paused. Running jobs continue.'),
  queue_resumed: good('The queue has been resumed.'),
  migration_cancelled: plain('Migration canceled. Everything imported so far is kept.'),
  migration_resumed: good('Migration resumed.'),
  migration_not_resumed: bad('This migration can no longer be resumed. Start a new one.'),
  client_key_added: good('The key has been added. It can be used at once.'),
  client_key_removed: good('The key has been removed. Errors reported with it are rejected.'),
  error_unresolved: good('The error is open again.'),
  error_resolved: good('The error has been resolved. It reopens if it occurs again.'),
  error_ignored: good('Error ignored. It stays ignored if it occurs again.'),
  integration_created: good('The integration has been created. Give its URL and key to the tool.'),
  integration_removed: good('The integration has been removed.'),
  integration_key_reset: good('The integration has a new key. The old one is no longer accepted.'),
  two_factor_disabled: good('Two-factor authentication is off.'),
} as const satisfies Readonly<Record<string, Flash>>;

/** Key of a message. */
export type FlashKey = keyof typeof MESSAGES;

/** Returns the message with that key, or null. */
export const flashOf = (key: string | null): Flash | null =>
  key !== null && Object.hasOwn(MESSAGES, key) ? MESSAGES[key as FlashKey] : null;
