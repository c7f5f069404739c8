/** Plans of an instance. */
export const PLANS = ['free', 'premium', 'ultimate'] as const;

/** Name of a plan. */
export type Plan = (typeof PLANS)[number];

/**
 * All settings of the instance with defaults: those that `PUT /application/settings` can change besides
 * `license_plan`.
 */
export const SETTINGS_DEFAULTS = {
  default_projects_limit: 100_000,
  default_project_visibility: 'private',
  default_group_visibility: 'private',
  default_snippet_visibility: 'private',
  default_branch_name: 'main',
  default_branch_protection: 2,
  restricted_visibility_levels: [] as readonly string[],
  repository_storages: ['default'] as readonly string[],
  repository_storages_weighted: { default: 100 } as Readonly<Record<string, number>>,
  repository_move_concurrency_per_storage: 2,
  push_event_activities_limit: 3,
  push_event_hooks_limit: 3,
  keep_latest_artifact: true,
  default_artifacts_expire_in: '30 days',
  max_artifacts_size: 100,
  max_attachment_size: 10,
  user_oauth_applications: true,
  password_grant_without_client: true,
  user_default_external: false,
  can_create_group: true,
  signup_enabled: true,
  require_admin_approval_after_user_signup: true,
  password_authentication_enabled_for_web: true,
  password_authentication_enabled_for_git: true,
  enabled_git_access_protocol: 'all',
  receive_max_input_size: 5_120,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  personal_access_token_prefix: 'glpat-',
  max_personal_access_token_lifetime: null as number | null,
  session_expire_delay: 10_080,
  impersonation_enabled: true,
  admin_mode: false,
  disable_admin_oauth_scopes: false,
  deletion_adjourned_period: 0,
  offset_pagination_limit: 50_000,
  audit_event_retention_days: 0,
  group_activity_window_days: 90,
  users_get_by_id_limit: 300,
  projects_api_rate_limit_unauthenticated: 400,
  project_jobs_api_rate_limit: 600,
  search_rate_limit: 30,
  notes_create_limit: 300,
  issues_create_limit: 300,
  alert_rate_limit_per_minute: 0,
  error_tracking_rate_limit_per_minute: 0,
  bulk_import_enabled: true,
  /** POST requests per minute and user; 0 for no limit. */
  bulk_import_rate_limit: 6,
  /** Unfinished migrations per user; 0 for no limit. */
  bulk_import_open_limit: 20,
  rate_limiting_response_text: null as string | null,
  throttle_unauthenticated_api_enabled: false,
  throttle_unauthenticated_api_requests_per_period: 3600,
  throttle_unauthenticated_api_period_in_seconds: 3600,
  throttle_unauthenticated_web_enabled: false,
  throttle_unauthenticated_web_requests_per_period: 3600,
  throttle_unauthenticated_web_period_in_seconds: 3600,
  throttle_authenticated_api_enabled: false,
  throttle_authenticated_api_requests_per_period: 7200,
  throttle_authenticated_api_period_in_seconds: 3600,
  throttle_authenticated_web_enabled: false,
  throttle_authenticated_web_requests_per_period: 7200,
  throttle_authenticated_web_period_in_seconds: 3600,
  throttle_protected_paths_enabled: true,
  throttle_protected_paths_requests_per_period: 10,
  throttle_protected_paths_period_in_seconds: 60,
};

/** Settings in force: the defaults overridden by stored values. */
export type SettingsValues = Readonly<typeof SETTINGS_DEFAULTS>;

/** Name of a setting. */
export type SettingName = keyof SettingsValues;
