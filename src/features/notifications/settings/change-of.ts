import { Tier } from '#kernel/access/roles.js';
import type { ChangeOfGroupParams } from './notification-settings.params.js';
import type { SettingChange } from './notification-settings.service.js';

/** Returns the changes of the parameters; epics belong to the top tier. */
export function changeOf({ level, ...switches }: ChangeOfGroupParams, tier: Tier): SettingChange {
  const { new_epic: epics, ...others } = switches;
  const isKnown = tier >= Tier.Ultimate && epics !== undefined;
  return { level, events: isKnown ? { ...others, new_epic: epics } : others };
}
