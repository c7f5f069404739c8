import { GROUP_SETTINGS, groupSettings } from '#core/groups/settings/group-settings.js';
import type { OwnerRow } from './single-relation.js';

/** Visibility levels as numbered by v4 servers. */
export const VISIBILITY_LEVELS = { private: 0, internal: 10, public: 20 } as const;

/** Numbers of v4 servers for who may create projects and subgroups. */
const PROJECT_CREATION = { noone: 0, maintainer: 1, developer: 2 } as const;
const SUBGROUP_CREATION = { owner: 0, maintainer: 1 } as const;

/** Allowed addresses reveal the network, and ids belong to this instance. */
const PRIVATE = new Set(['ip_restriction_ranges', 'file_template_project_id']);

/** Returns the attributes of a group. */
export function groupSelf(group: OwnerRow): Readonly<Record<string, unknown>> {
  const settings = groupSettings(group.settings);
  const names = Object.keys(GROUP_SETTINGS).filter((name) => !PRIVATE.has(name));
  return {
    id: group.id,
    name: group.name,
    path: group.path,
    description: group.description ?? '',
    visibility_level: VISIBILITY_LEVELS[group.visibility],
    created_at: group.created_at,
    updated_at: group.updated_at,
    ...Object.fromEntries(names.map((name) => [name, settings[name as keyof typeof settings]])),
    project_creation_level: PROJECT_CREATION[settings.project_creation_level],
    subgroup_creation_level: SUBGROUP_CREATION[settings.subgroup_creation_level],
    shared_runners_enabled: settings.shared_runners_setting === 'enabled',
    emails_enabled: settings.emails_disabled !== true,
  };
}

/** Returns the settings that v4 servers store separately from the group. */
export function namespaceSettings({ settings }: OwnerRow): Readonly<Record<string, unknown>> {
  const { prevent_forking_outside_group, prevent_sharing_groups_outside_hierarchy } = groupSettings(settings);
  return { prevent_forking_outside_group, prevent_sharing_groups_outside_hierarchy };
}
