/** Settings of a group with their defaults: what the jsonb column holds beside is left out of records. */
export const GROUP_SETTINGS = {
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: 'developer' as 'noone' | 'maintainer' | 'developer',
  auto_devops_enabled: null as boolean | null,
  subgroup_creation_level: 'maintainer' as 'owner' | 'maintainer',
  emails_disabled: null as boolean | null,
  mentions_disabled: null as boolean | null,
  default_branch_protection: 2,
  request_access_enabled: true,
  shared_runners_setting: 'enabled' as SharedRunnersSetting,
  prevent_sharing_groups_outside_hierarchy: false,
  membership_lock: false,
  prevent_forking_outside_group: null as boolean | null,
  wiki_access_level: 'enabled' as 'disabled' | 'private' | 'enabled',
  file_template_project_id: null as number | null,
  shared_runners_minutes_limit: null as number | null,
  extra_shared_runners_minutes_limit: null as number | null,
  ip_restriction_ranges: null as string | null,
};

/** Whether projects of a group may use the runners of the instance. */
export type SharedRunnersSetting =
  | 'enabled'
  | 'disabled_and_overridable'
  | 'disabled_and_unoverridable'
  | 'disabled_with_override';

/** The settings of a group as they are in force. */
export type GroupSettings = Readonly<typeof GROUP_SETTINGS>;

/** Name of one setting. */
export type GroupSettingName = keyof GroupSettings;

/** Every name, in the order of the records. */
export const GROUP_SETTING_NAMES = Object.keys(GROUP_SETTINGS) as readonly GroupSettingName[];

/** The stored settings over the defaults. */
export const groupSettings = (stored: Readonly<Record<string, unknown>>): GroupSettings => ({
  ...GROUP_SETTINGS,
  ...(stored as Partial<GroupSettings>),
});
