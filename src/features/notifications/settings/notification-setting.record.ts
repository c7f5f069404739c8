import { Nested } from '#kernel/http/fields/composite-fields.js';
import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { Tier } from '#kernel/access/roles.js';
import { LEVELS, type Level } from './levels.js';
import { GroupMailEvents, ProjectMailEvents } from './mail-events.record.js';
import { isOn, MAIL_EVENTS, type EventSwitches } from './mail-events.js';

/** A notification setting of a project. */
export class ProjectNotificationSettingRecord {
  @OneOf(LEVELS)
  level!: Level;

  @Nested(() => ProjectMailEvents, { optional: true, description: 'Only for the level custom' })
  events?: ProjectMailEvents;
}

/** A notification setting of a group and everything below. */
export class GroupNotificationSettingRecord {
  @OneOf(LEVELS)
  level!: Level;

  @Nested(() => GroupMailEvents, { optional: true, description: 'Only for the level custom' })
  events?: GroupMailEvents;
}

/** The global notification setting. */
export class GlobalNotificationSettingRecord extends GroupNotificationSettingRecord {
  @Text({ description: 'Address for mails: the primary one, unless another was chosen' })
  notification_email!: string;
}

/** A stored setting. */
export interface NotificationSetting {
  readonly level: Level;
  readonly events: EventSwitches;
}

/** Presents the setting of a project. */
export const presentOfProject = ({ level, events }: NotificationSetting): ProjectNotificationSettingRecord =>
  level === 'custom'
    ? {
        level,
        events: switchesOf(events, (name) => name !== 'new_epic') as unknown as ProjectMailEvents,
      }
    : { level };

/** Presents the setting of a group, or the global one; epics belong to the top tier. */
export const presentOfGroup = (
  { level, events }: NotificationSetting,
  tier: Tier,
): GroupNotificationSettingRecord =>
  level === 'custom'
    ? {
        level,
        events: switchesOf(
          events,
          (name) => name !== 'new_epic' || tier >= Tier.Ultimate,
        ) as unknown as GroupMailEvents,
      }
    : { level };

const switchesOf = (events: EventSwitches, isShown: (name: string) => boolean): Record<string, boolean> =>
  Object.fromEntries(MAIL_EVENTS.filter(isShown).map((name) => [name, isOn(events, name)]));
