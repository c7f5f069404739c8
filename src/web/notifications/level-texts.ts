import type { Level } from '#features/notifications/settings/levels.js';
import type { MailEvent } from '#features/notifications/settings/mail-events.js';

/** Label and description of each level. */
export const LEVEL_WORDS: Readonly<Record<Level, readonly [label: string, meaning: string]>> = {
  global: ['Global', 'The global level, or that of the nearest parent group with its own level.'],
  watch: ['Watch', 'All activity.'],
  participating: ['Participate', 'Items that you participate in or are mentioned in.'],
  mention: ['On mention', 'Only where you are mentioned or newly assigned.'],
  disabled: ['Disabled', 'Only items that you subscribed to.'],
  custom: ['Custom', 'Items that you participate in, and the events that you choose.'],
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
