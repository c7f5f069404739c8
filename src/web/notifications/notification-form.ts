import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { NotificationSetting } from '#features/notifications/settings/notification-setting.record.js';
import { isLevel } from './level-texts.js';
import type { SourceKind } from './notification-sources.queries.js';

/** Values of the notification forms as entered; values not sent remain unchanged. */
export class NotificationForm {
  @Text({ optional: true })
  level?: string;

  @Text({ optional: true, trim: true })
  notification_email?: string;

  @List(Text(), { optional: true })
  events: string[] = [];

  /** Whether the form contained the event checkboxes; if so, the unchecked ones are turned off. */
  @Flag({ optional: true })
  with_events = false;
}

/** Form of the global notification setting. */
export class GlobalNotificationForm extends NotificationForm {
  @Flag({ optional: true })
  notified_of_own_activity = false;
}

const Kind = (): PropertyDecorator => OneOf(['groups', 'projects']);

/** Path parameters: whether groups or projects. */
export class SourceKindPath {
  @Kind()
  kind!: SourceKind;
}

/** Path parameters of a group or project. */
export class SourcePath extends SourceKindPath {
  @Id()
  source_id!: number;
}

/** Form of the notification setting of a group or project. */
export class SourceNotificationForm extends NotificationForm {
  @Kind()
  kind!: SourceKind;

  @Id()
  source_id!: number;
}

/** The setting as shown again after an error, with the level and events that were chosen. */
export function shownAgain<T extends NotificationSetting>(
  setting: T,
  sent: NotificationForm,
  offered: readonly string[],
): T {
  const level = isLevel(sent.level) ? sent.level : setting.level;
  return { ...setting, level, events: { ...setting.events, ...switchesOf(sent, offered) } };
}

/** Converts a form to the parameters of the API. */
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
