import { Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { LEVELS, type Level } from '../settings/levels.js';

/** Where the effective level was set. */
export const PREVIEW_SOURCES = ['project', 'group', 'global'] as const;

/** Whether and why the caller would be notified of an event (`decisions.md` 3). */
export class NotificationPreviewRecord {
  @Flag({
    description:
      'Based only on this setting: for items in which the caller does not participate (for pipelines, their own)',
  })
  would_notify!: boolean;

  @OneOf(LEVELS, { description: 'The level that counts' })
  level!: Level;

  @OneOf(PREVIEW_SOURCES, { description: 'Where it was set' })
  source!: (typeof PREVIEW_SOURCES)[number];

  @Text({ description: 'As readable text' })
  reason!: string;

  @Flag({ description: 'For something that the caller takes part in' })
  would_notify_participant!: boolean;

  @Flag({ description: 'For something in which the caller was mentioned or that was newly assigned to them' })
  would_notify_mentioned!: boolean;
}
