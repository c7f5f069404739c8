import { Tier } from '#kernel/access/roles.js';
import type { Caller } from '#kernel/access/caller.js';
import { GROUP_SETTING_NAMES, type GroupSettingName } from './group-settings.js';
import type { GroupFields } from '../groups.params.js';

const PREMIUM = new Set<GroupSettingName>([
  'membership_lock',
  'prevent_forking_outside_group',
  'wiki_access_level',
  'file_template_project_id',
]);

const ADMIN = new Set<GroupSettingName>([
  'shared_runners_minutes_limit',
  'extra_shared_runners_minutes_limit',
]);

/**
 * Returns the settings that a request changes; drops those of other plans or of administrators, as v4 clients
 * expect.
 */
export function givenSettings(params: GroupFields, { tier, actor }: Caller): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  const sent = params as Readonly<Record<string, unknown>>;
  for (const name of GROUP_SETTING_NAMES) {
    if (sent[name] === undefined) continue;
    if (PREMIUM.has(name) && tier < Tier.Premium) continue;
    if (ADMIN.has(name) && (!actor?.admin || tier < Tier.Premium)) continue;
    given[name] = sent[name];
  }
  if (params.emails_enabled !== undefined) given['emails_disabled'] = !params.emails_enabled;
  return given;
}
