import type { Level } from '#features/notifications/settings/levels.js';
import type { MailEvent } from '#features/notifications/settings/mail-events.js';

/** What the levels are called, and what each of them means. */
export const LEVEL_WORDS: Readonly<Record<Level, readonly [label: string, meaning: string]>> = {
  global: ['Global', 'As set for everywhere, or in the nearest group above that has a level of its own.'],
  watch: ['Watch', 'All activity.'],
  participating: ['Participate', 'What you have taken part in, and where you are mentioned.'],
  mention: ['On mention', 'Only where you are mentioned or newly assigned.'],
  disabled: ['Disabled', 'Nothing but what you have subscribed to.'],
  custom: ['Custom', 'What you take part in, and the events that you choose.'],
};

/** Whether a page calls a level that. */
export const isLevel = (name: string | undefined): name is Level =>
  name !== undefined && Object.hasOwn(LEVEL_WORDS, name);

/** What holds everywhere is one of these. */
export const GLOBAL_LEVELS = ['watch', 'participating', 'mention', 'disabled', 'custom'] as const;

/** What a group or project can have. */
export const SOURCE_LEVELS = ['global', ...GLOBAL_LEVELS] as const;

/** An event as a page calls it. */
export function eventWords(event: MailEvent): string {
  const text = event.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
