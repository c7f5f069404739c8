/** Settings of groups with their defaults; records omit other keys of the jsonb column. */
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

/** Whether projects of a group may use instance runners. */
export type SharedRunnersSetting =
  | 'enabled'
  | 'disabled_and_overridable'
  | 'disabled_and_unoverridable'
  | 'disabled_with_override';

/** Effective settings of a group. */
export type GroupSettings = Readonly<typeof GROUP_SETTINGS>;

/** Name of a group setting. */
export type GroupSettingName = keyof GroupSettings;

/** All names, in the order of records. */
export const GROUP_SETTING_NAMES = Object.keys(GROUP_SETTINGS) as readonly GroupSettingName[];

/** Merges the stored settings over the defaults. */
export const groupSettings = (stored: Readonly<Record<string, unknown>>): GroupSettings => ({
  ...GROUP_SETTINGS,
  ...(stored as Partial<GroupSettings>),
});
