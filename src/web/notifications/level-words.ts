import type { Level } from '#features/notifications/settings/levels.js';
import type { MailEvent } from '#features/notifications/settings/mail-events.js';

/** Label and description of each level. */
export const LEVEL_WORDS: Readonly<Record<Level, readonly [label: string, meaning: string]>> = {
  global: ['Global', 'As set for everywhere, or in the nearest group above that has a level of its own.'],
  watch: ['Watch', 'All activity.'],
  participating: ['Participate', 'What you have taken part in, and where you are mentioned.'],
  mention: ['On mention', 'Only where you are mentioned or newly assigned.'],
  disabled: ['Disabled', 'Nothing but what you have subscribed to.'],
  custom: ['Custom', 'What you take part in, and the events that you choose.'],
};

/** Whether a name is that of a level. */
export const isLevel = (name: string | undefined): name is Level =>
  name !== undefined && Object.hasOwn(LEVEL_WORDS, name);

/** Levels of the global setting. */
export const GLOBAL_LEVELS = ['watch', 'participating', 'mention', 'disabled', 'custom'] as const;

/** Levels of a group or project. */
export const SOURCE_LEVELS = ['global', ...GLOBAL_LEVELS] as const;

/** Label of an event. */
export function eventWords(event: MailEvent): string {
  const text = event.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
