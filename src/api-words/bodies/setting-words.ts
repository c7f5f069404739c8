/** Rate limits: whom each one counts, and which requests. */
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
  alert_rate_limit_per_minute: 'Alerts that a project takes a minute; 0 for any number',
  audit_event_retention_days: 'Days for which audit events are kept; 0 for ever',
  bulk_import_enabled: 'Whether groups and projects may be migrated from other instances',
  bulk_import_open_limit: 'Migrations that a user may have open at a time; 0 for any number',
  bulk_import_rate_limit: 'Migrations that a user may start a minute; 0 for any number',
  can_create_group: 'Whether new users may create groups at the top level',
  ci_registered_group_runners: 'Runners that a group may register; 0 for any number',
  ci_registered_project_runners: 'Runners that a project may register; 0 for any number',
  default_artifacts_expire_in: 'How long artifacts are kept, such as `30 days`; 0 for ever',
  default_branch_name: 'Name of the first branch of new repositories',
  default_group_visibility: 'Visibility of new groups that ask for none',
  default_project_visibility: 'Visibility of new projects that ask for none',
  default_projects_limit: 'Projects that a new user may own',
  default_snippet_visibility: 'Visibility of new snippets that ask for none',
  deletion_adjourned_period:
    'Days between marking a group or project for deletion and deleting it; 0 deletes at once',
  disable_admin_oauth_scopes:
    'Whether administrators may connect only applications that are trusted or ask for little',
  enabled_git_access_protocol: 'How repositories are cloned: by `http`, by `ssh`, or by `all`',
  error_tracking_rate_limit_per_minute: 'Errors that a project takes a minute; 0 for any number',
  group_activity_window_days: 'Days that the activity of groups is counted for',
  impersonation_enabled: 'Whether administrators may create impersonation tokens',
  issues_create_limit: 'Issues that a user may create a minute; 0 for any number',
  max_artifacts_size: 'Largest artifacts archive, in MB',
  max_attachment_size: 'Largest attachment, in MB',
  max_personal_access_token_lifetime:
    'Days after which personal access tokens expire at the latest; null for never',
  notes_create_limit: 'Notes that a user may write a minute; 0 for any number',
  offset_pagination_limit: 'How far into a list numbered pages reach, in items; 0 for any number',
  password_authentication_enabled_for_git: 'Whether Git over HTTP takes passwords',
  password_authentication_enabled_for_web: 'Whether pages take passwords to sign in',
  password_grant_without_client: 'Whether OAuth tokens are given for a password without a client',
  personal_access_token_prefix: 'What new personal access tokens begin with, at most 20 characters',
  project_jobs_api_rate_limit: 'How often a minute the jobs of a project are listed; 0 for any number',
  projects_api_rate_limit_unauthenticated:
    'How often in ten minutes an address may list projects without a credential; 0 for any number',
  push_event_activities_limit: 'How many refs of a push have an event each; a push of more has one for all',
  push_event_hooks_limit: 'How many refs of a push call hooks; a push of more calls none',
  rate_limiting_response_text: 'What those are told who send too many requests; null for the usual text',
  receive_max_input_size: 'Largest push, in MB',
  repository_move_concurrency_per_storage: 'Repository moves that a storage takes part in at a time',
  repository_storages: 'Names of the storages that new repositories may lie on',
  repository_storages_weighted:
    'By the name of a storage, how often new repositories go there, from 0 to 100',
  require_admin_approval_after_user_signup: 'Whether an administrator lets in those who sign up',
  require_two_factor_authentication: 'Whether users must set up a second factor',
  restricted_visibility_levels: 'Levels of visibility that only administrators may choose',
  search_rate_limit: 'Searches that a user may ask for a minute; 0 for any number',
  session_expire_delay: 'Minutes without use after which sessions end',
  signup_enabled: 'Whether people may sign up',
  two_factor_grace_period: 'Hours for which users may put off the second factor',
  user_default_external: 'Whether new users are external: they see only what they are let into',
  user_oauth_applications: 'Whether users may register OAuth applications of their own',
  users_get_by_id_limit: 'How many users a user may look up by id in ten minutes; 0 for any number',
  'PlanLimits.plan_name': 'Name of the plan',
};
