import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { NotificationSetting } from '#features/notifications/settings/notification-setting.record.js';
import { isLevel } from './level-words.js';
import type { SourceKind } from './notification-sources.queries.js';

/** What the forms of notifications send, as it was written; what they do not send stays as it is. */
export class NotificationForm {
  @Text({ optional: true })
  level?: string;

  @Text({ optional: true, trim: true })
  notification_email?: string;

  @List(Text(), { optional: true })
  events: string[] = [];

  /** Whether the boxes of events were there to be ticked: those that were not are off then. */
  @Flag({ optional: true })
  with_events = false;
}

/** The form of what holds everywhere. */
export class GlobalNotificationForm extends NotificationForm {
  @Flag({ optional: true })
  notified_of_own_activity = false;
}

const Kind = (): PropertyDecorator => OneOf(['groups', 'projects']);

/** Groups, or projects. */
export class SourceKindPath {
  @Kind()
  kind!: SourceKind;
}

/** The group or project that a page is about. */
export class SourcePath extends SourceKindPath {
  @Id()
  source_id!: number;
}

/** The form of a group or project. */
export class SourceNotificationForm extends NotificationForm {
  @Kind()
  kind!: SourceKind;

  @Id()
  source_id!: number;
}

/** A setting as its form shows it again where it cannot be taken: with the level and the events that were chosen. */
export function shownAgain<T extends NotificationSetting>(
  setting: T,
  sent: NotificationForm,
  offered: readonly string[],
): T {
  const level = isLevel(sent.level) ? sent.level : setting.level;
  return { ...setting, level, events: { ...setting.events, ...switchesOf(sent, offered) } };
}

/** The parameters that the API takes for what a form has sent. */
export const parametersOf = (
  sent: NotificationForm,
  offered: readonly string[],
): Record<string, unknown> => ({
  level: sent.level,
  notification_email: sent.notification_email,
  ...switchesOf(sent, offered),
});

const switchesOf = (
  { events, with_events: withEvents }: NotificationForm,
  offered: readonly string[],
): Record<string, boolean> =>
  withEvents ? Object.fromEntries(offered.map((name) => [name, events.includes(name)])) : {};
