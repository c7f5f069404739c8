/** Rate limits: which users and requests each one counts. */
const THROTTLES = {
  unauthenticated_api: ['API requests without a credential', 'an address'],
  unauthenticated_web: ['requests for pages without a session', 'an address'],
  authenticated_api: ['API requests with a credential', 'a user'],
  authenticated_web: ['requests for pages in a session', 'a user'],
  protected_paths: ['attempts to sign in, to reset a password and the like', 'an address'],
} as const;

const throttleWords = Object.fromEntries(
  Object.entries(THROTTLES).flatMap(([name, [what, who]]) => [
    [`throttle_${name}_enabled`, `Whether ${what} are limited`],
    [`throttle_${name}_requests_per_period`, `How many ${what} ${who} may send in a period`],
    [`throttle_${name}_period_in_seconds`, 'Length of the period, in seconds'],
  ]),
);

/** Descriptions of the settings and limits of the instance. */
export const SETTING_WORDS: Readonly<Record<string, string>> = {
  ...throttleWords,
  admin_mode: 'Whether the rights of administrators need tokens with the scope `admin_mode`',
  alert_rate_limit_per_minute: 'Alerts per minute that a project accepts; 0 for no limit',
  audit_event_retention_days: 'Days that audit events are kept; 0 for forever',
  bulk_import_enabled: 'Whether groups and projects may be migrated from other instances',
  bulk_import_open_limit: 'Unfinished migrations that a user may have; 0 for no limit',
  bulk_import_rate_limit: 'Migrations that a user may start per minute; 0 for no limit',
  can_create_group: 'Whether new users may create groups at the top level',
  ci_registered_group_runners: 'Runners that a group may register; 0 for no limit',
  ci_registered_project_runners: 'Runners that a project may register; 0 for no limit',
  default_artifacts_expire_in: 'How long artifacts are kept, such as `30 days`; 0 for forever',
  default_branch_name: 'Name of the first branch of new repositories',
  default_group_visibility: 'Default visibility of new groups',
  default_project_visibility: 'Default visibility of new projects',
  default_projects_limit: 'Projects that a new user may own',
  default_snippet_visibility: 'Default visibility of new snippets',
  deletion_adjourned_period:
    'Days between marking a group or project for deletion and deleting it; 0 deletes at once',
  disable_admin_oauth_scopes:
    'Whether administrators may only authorize applications that are trusted or request few rights',
  enabled_git_access_protocol: 'How repositories are cloned: by `http`, by `ssh`, or by `all`',
  error_tracking_rate_limit_per_minute: 'Errors per minute that a project accepts; 0 for no limit',
  group_activity_window_days: 'Days for which the activity of groups is counted',
  impersonation_enabled: 'Whether administrators may create impersonation tokens',
  issues_create_limit: 'Issues and epics that a user may create per minute; 0 for no limit',
  max_artifacts_size: 'Largest artifacts archive, in MB',
  max_attachment_size: 'Largest attachment, in MB',
  max_personal_access_token_lifetime:
    'Days after which personal access tokens expire at the latest; null for never',
  notes_create_limit: 'Notes that a user may write per minute; 0 for no limit',
  offset_pagination_limit: 'Maximum offset of numbered pages, in items; 0 for no limit',
  password_authentication_enabled_for_git: 'Whether Git over HTTP accepts passwords',
  password_authentication_enabled_for_web: 'Whether pages accept passwords for sign-in',
  password_grant_without_client: 'Whether OAuth tokens are issued for a password without a client',
  personal_access_token_prefix: 'Prefix of new personal access tokens, at most 20 characters',
  project_jobs_api_rate_limit: 'Maximum lists of the jobs of a project per minute; 0 for no limit',
  projects_api_rate_limit_unauthenticated:
    'Maximum lists of projects per address without a credential in ten minutes; 0 for no limit',
  push_event_activities_limit:
    'Maximum number of refs in a push with an event for each; larger pushes have one for all',
  push_event_hooks_limit: 'Maximum number of refs in a push that triggers hooks; larger pushes trigger none',
  rate_limiting_response_text: 'Response to callers who send too many requests; null for the default text',
  receive_max_input_size: 'Largest push, in MB',
  repository_move_concurrency_per_storage: 'Concurrent repository moves per storage',
  repository_storages: 'Names of the storages for new repositories',
  repository_storages_weighted: 'Weight of each storage for new repositories, by name, from 0 to 100',
  require_admin_approval_after_user_signup: 'Whether an administrator must approve users who sign up',
  require_two_factor_authentication: 'Whether users must set up a second factor',
  restricted_visibility_levels:
    'Levels of visibility that only administrators may choose; with public, only signed-in callers can look up users',
  search_rate_limit: 'Searches that a user may run per minute; 0 for no limit',
  session_expire_delay: 'Minutes of inactivity after which sessions end',
  signup_enabled: 'Whether users may sign up',
  two_factor_grace_period: 'Hours for which users may postpone the setup of the second factor',
  user_default_external: 'Whether new users are external: they see only what they are members of',
  user_oauth_applications: 'Whether users may register OAuth applications of their own',
  users_get_by_id_limit: 'Users that a user may look up by id in ten minutes; 0 for no limit',
  'PlanLimits.plan_name': 'Name of the plan',
};
