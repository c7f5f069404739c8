/** The code that reads a setting; or the section of the specification for one that is only in records. */
export type Reader =
  | {
      readonly file: string;
      readonly symbol: string;
      /** The text in that code from which the name is composed, if it is not there literally. */
      readonly via?: string;
    }
  | { readonly section: string; readonly lacks: string };

/** The readers of all settings, by their names. */
type Readers = Readonly<Record<string, Reader>>;

const read = (file: string, symbol: string, via?: string): Reader =>
  via === undefined ? { file, symbol } : { file, symbol, via };
const recorded = (section: string, lacks: string): Reader => ({ section, lacks });

/** Levels of parts of projects that routes name: the guard puts the name together. */
const level = (part: string): readonly [string, Reader] => [
  `${part}_access_level`,
  read('src/kernel/access/project-parts.ts', 'levelSettings', '_access_level'),
];

/** The parts of projects that API routes belong to. */
export const GUARDED_PARTS = [
  'issues',
  'repository',
  'merge_requests',
  'wiki',
  'builds',
  'snippets',
  'environments',
  'monitor',
  'package_registry',
] as const;

const throttles = (['enabled', 'requests_per_period', 'period_in_seconds'] as const).flatMap((what) =>
  ['unauthenticated_api', 'unauthenticated_web', 'authenticated_api', 'authenticated_web'].map(
    (area): readonly [string, Reader] => [
      `throttle_${area}_${what}`,
      read('src/guards/throttle.limit.ts', 'ThrottleLimit', `_${what}`),
    ],
  ),
);

/** Settings of the instance. */
export const INSTANCE_READERS: Readers = {
  ...Object.fromEntries(throttles),
  default_projects_limit: read('src/core/users/changes/create-user.use-case.ts', 'CreateUser'),
  default_project_visibility: read('src/core/projects/writes/create-project.use-case.ts', 'CreateProject'),
  default_group_visibility: read('src/core/groups/group.rules.ts', 'GroupRules'),
  default_snippet_visibility: read('src/core/snippets/snippet-rules.service.ts', 'SnippetRulesService'),
  default_branch_name: read('src/core/projects/writes/create-project.use-case.ts', 'CreateProject'),
  default_branch_protection: read(
    'src/core/repositories/protection/protect-branch.use-case.ts',
    'ProtectBranch',
  ),
  restricted_visibility_levels: read('src/core/projects/project.rules.ts', 'ProjectRules'),
  repository_storages: read('src/core/repositories/storages/storage-roots.service.ts', 'FIND'),
  repository_storages_weighted: read(
    'src/core/projects/writes/storage-choice.service.ts',
    'StorageChoiceService',
  ),
  repository_move_concurrency_per_storage: read(
    'src/features/storage-moves/move-slots.limit.ts',
    'MoveSlotsLimit',
  ),
  push_event_activities_limit: read(
    'src/core/repositories/pushes/recovery/push-completion.service.ts',
    'PushCompletionService',
  ),
  keep_latest_artifact: read(
    'src/core/ci/creation/pipeline-insertion.service.ts',
    'PipelineInsertionService',
  ),
  default_artifacts_expire_in: read(
    'src/features/job-artifacts/upload/artifact-uploads.service.ts',
    'ArtifactUploadsService',
  ),
  max_artifacts_size: read(
    'src/features/job-artifacts/upload/artifact-uploads.service.ts',
    'ArtifactUploadsService',
  ),
  user_oauth_applications: read(
    'src/web/applications/own-applications.controller.ts',
    'OwnApplicationsController',
  ),
  password_grant_without_client: read('src/features/oauth/token/password.grant.ts', 'PasswordGrant'),
  user_default_external: read('src/core/users/changes/create-user.use-case.ts', 'CreateUser'),
  can_create_group: read('src/core/groups/group.rules.ts', 'GroupRules'),
  password_authentication_enabled_for_web: read('src/web/sign-in/sign-in.controller.ts', 'SignInController'),
  password_authentication_enabled_for_git: read(
    'src/features/git-http/access/git-passwords.service.ts',
    'GitPasswordsService',
  ),
  enabled_git_access_protocol: read('src/features/git-http/access/git-access.policy.ts', 'GitAccessPolicy'),
  receive_max_input_size: read('src/features/git-http/push/push.service.ts', 'PushService'),
  require_two_factor_authentication: read('src/core/two-factor/two-factor-duty.ts', 'twoFactorDuty'),
  two_factor_grace_period: read('src/core/two-factor/two-factor-duty.ts', 'twoFactorDuty'),
  personal_access_token_prefix: read('src/core/tokens/tokens.service.ts', 'TokensService'),
  max_personal_access_token_lifetime: read('src/core/tokens/tokens.service.ts', 'TokensService'),
  session_expire_delay: read('src/core/sessions/sessions.service.ts', 'SessionsService'),
  impersonation_enabled: read('src/guards/sudo.guard.ts', 'SudoGuard'),
  admin_mode: read('src/guards/access/access-resolver.queries.ts', 'AccessResolverQueries'),
  disable_admin_oauth_scopes: read(
    'src/features/oauth/authorization/checks/visitor-hindrance.ts',
    'hindranceOf',
  ),
  deletion_adjourned_period: read(
    'src/core/instance/adjourned-deletion.service.ts',
    'AdjournedDeletionService',
  ),
  offset_pagination_limit: read('src/guards/parameters.guard.ts', 'ParametersGuard'),
  audit_event_retention_days: read(
    'src/core/audit/prune-audit-events.processor.ts',
    'PruneAuditEventsProcessor',
  ),
  group_activity_window_days: read(
    'src/features/group-analytics/group-activity.queries.ts',
    'GroupActivityQueries',
  ),
  users_get_by_id_limit: read('src/core/users/user-lookups.limit.ts', 'UserLookupsLimit'),
  projects_api_rate_limit_unauthenticated: read('src/core/projects/lists/anonymous-list.limit.ts', 'NAME'),
  project_jobs_api_rate_limit: read('src/core/ci/jobs/actions/jobs.limit.ts', 'NAME'),
  notes_create_limit: read('src/core/notes/notes.service.ts', 'NotesService'),
  issues_create_limit: read('src/core/issues/writes/create-issue.use-case.ts', 'CreateIssue'),
  alert_rate_limit_per_minute: read(
    'src/features/alerts/intake/requests/intake-access.policy.ts',
    'IntakeAccessPolicy',
  ),
  error_tracking_rate_limit_per_minute: read('src/features/error-tracking/intake/intake.limit.ts', 'NAME'),
  bulk_import_enabled: read('src/features/relation-exports/writing/export.policy.ts', 'ExportPolicy'),
  bulk_import_rate_limit: read(
    'src/features/bulk-imports/api/creation/bulk-import-creation.limit.ts',
    'BulkImportCreationLimit',
  ),
  bulk_import_open_limit: read(
    'src/features/bulk-imports/api/creation/bulk-import-creation.limit.ts',
    'BulkImportCreationLimit',
  ),
  rate_limiting_response_text: read('src/core/sign-in/protected-paths.limit.ts', 'ProtectedPathsLimit'),
  throttle_protected_paths_enabled: read('src/core/sign-in/protected-paths.limit.ts', 'ProtectedPathsLimit'),
  throttle_protected_paths_requests_per_period: read(
    'src/core/sign-in/protected-paths.limit.ts',
    'ProtectedPathsLimit',
  ),
  throttle_protected_paths_period_in_seconds: read(
    'src/core/sign-in/protected-paths.limit.ts',
    'ProtectedPathsLimit',
  ),
  push_event_hooks_limit: recorded('planning.md 1.5', 'web hooks'),
  max_attachment_size: recorded('auth-core.md 6.6', 'uploads of Markdown'),
  signup_enabled: recorded('auth-core.md 6.6', 'sign-up by oneself'),
  require_admin_approval_after_user_signup: recorded('auth-core.md 6.6', 'sign-up by oneself'),
  search_rate_limit: recorded('auth-core.md 5.3', 'the search API'),
};

/** Settings of groups. */
export const GROUP_READERS: Readers = {
  share_with_group_lock: read('src/core/projects/people/project-shares.service.ts', 'LOCKED'),
  require_two_factor_authentication: read(
    'migrations/first-schema/functions/link-functions.sql',
    'note_second_factor_asked',
  ),
  two_factor_grace_period: read('src/core/two-factor/group-duty.sql.ts', 'dueToGroupSql'),
  project_creation_level: read('src/core/projects/project.rules.ts', 'ProjectRules'),
  subgroup_creation_level: read('src/core/groups/group.rules.ts', 'GroupRules'),
  emails_disabled: read('src/core/projects/settings/mails-off.sql.ts', 'mailsOffSql'),
  mentions_disabled: read('src/core/notes/participants/mentions.service.ts', 'UNMENTIONED'),
  default_branch_protection: read(
    'src/core/repositories/protection/protect-branch.use-case.ts',
    'ProtectBranch',
  ),
  shared_runners_setting: read('src/core/ci/runners/instance-runners.sql.ts', 'groupsSay'),
  prevent_sharing_groups_outside_hierarchy: read(
    'src/core/groups/shares/group-shares.service.ts',
    'GroupSharesService',
  ),
  membership_lock: read('src/core/members/writes/member-rules.service.ts', 'MemberRulesService'),
  prevent_forking_outside_group: read('src/core/repositories/forks/forks.service.ts', 'LEAVES_GROUP'),
  file_template_project_id: read('src/core/groups/group-projects.port.ts', 'GroupProjectsPort'),
  auto_devops_enabled: recorded('auth-core.md 6.2', 'Auto DevOps'),
  request_access_enabled: recorded('auth-core.md 6.2', 'access requests'),
  wiki_access_level: recorded('auth-core.md 6.2', 'wikis of groups'),
  shared_runners_minutes_limit: recorded('auth-core.md 6.2', 'minutes of runners'),
  extra_shared_runners_minutes_limit: recorded('auth-core.md 6.2', 'minutes of runners'),
  ip_restriction_ranges: recorded('auth-core.md 6.2', 'ranges, which no route sets: always null'),
};

/** Settings of projects. */
export const PROJECT_READERS: Readers = {
  ...Object.fromEntries(GUARDED_PARTS.map(level)),
  forking_access_level: read('src/core/repositories/forks/forks.service.ts', 'ForksService'),
  ci_default_git_depth: read(
    'src/features/runners/protocol/payload/job-payload.service.ts',
    'JobPayloadService',
  ),
  ci_forward_deployment_enabled: read('src/features/deployments/jobs/forward-only.sql.ts', 'FORWARD_ONLY'),
  ci_job_token_scope_enabled: read('src/core/ci/tokens/job-reach.sql.ts', 'jobReachSql'),
  ci_inbound_job_token_scope_enabled: read('src/core/ci/tokens/job-reach.sql.ts', 'jobReachSql'),
  ci_separated_caches: read(
    'src/features/runners/protocol/payload/job-payload.service.ts',
    'JobPayloadService',
  ),
  ci_allow_fork_pipelines_to_run_in_parent_project: read(
    'src/core/merge-requests/pipelines/create-asked-pipeline.use-case.ts',
    'CreateAskedPipeline',
  ),
  build_git_strategy: read(
    'src/features/runners/protocol/payload/job-payload.service.ts',
    'JobPayloadService',
  ),
  keep_latest_artifact: read(
    'src/core/ci/creation/pipeline-insertion.service.ts',
    'PipelineInsertionService',
  ),
  restrict_user_defined_variables: read(
    'src/core/ci/jobs/actions/job-actions.service.ts',
    'JobActionsService',
  ),
  runner_token_expiration_interval: read('src/core/ci/runners/runners.service.ts', 'EXPIRY'),
  public_jobs: read('src/kernel/access/project-parts.ts', 'mayReadJobs'),
  build_timeout: read('src/core/ci/runners/picking.sql.ts', 'TAKE'),
  auto_cancel_pending_pipelines: read(
    'src/core/ci/creation/pipeline-insertion.service.ts',
    'PipelineInsertionService',
  ),
  build_coverage_regex: read('src/core/ci/traces/archive-trace.processor.ts', 'FIND'),
  ci_config_path: read('src/core/ci/creation/compile-plan.ts', 'compilePlan'),
  shared_runners_enabled: read('src/core/ci/runners/instance-runners.sql.ts', 'TAKES_INSTANCE_RUNNERS'),
  group_runners_enabled: read('src/core/ci/runners/picking.sql.ts', 'FOR_GROUP'),
  enforce_freeze_periods: read(
    'src/features/freeze-periods/freeze-enforcement.policy.ts',
    'FreezeEnforcementPolicy',
  ),
  allow_pipeline_trigger_approve_deployment: read(
    'src/features/deployments/approvals/approve-deployment.use-case.ts',
    'mayApproveOwn',
  ),
  only_allow_merge_if_pipeline_succeeds: read(
    'src/core/merge-requests/code/merging/mergeable.queries.ts',
    'mergeStatusOf',
  ),
  allow_merge_on_skipped_pipeline: read(
    'src/core/merge-requests/code/merging/mergeable.queries.ts',
    'mergeStatusOf',
  ),
  only_allow_merge_if_all_discussions_are_resolved: read(
    'src/core/merge-requests/code/merging/mergeable.queries.ts',
    'mergeStatusOf',
  ),
  merge_method: read(
    'src/core/merge-requests/code/merging/merge-execution.service.ts',
    'MergeExecutionService',
  ),
  squash_option: read('src/core/merge-requests/code/merging/merge-execution.service.ts', 'isSquashed'),
  merge_commit_template: read(
    'src/core/merge-requests/code/merging/messages/merge-messages.service.ts',
    'MergeMessagesService',
  ),
  squash_commit_template: read(
    'src/core/merge-requests/code/merging/messages/merge-messages.service.ts',
    'MergeMessagesService',
  ),
  autoclose_referenced_issues: read(
    'src/core/merge-requests/code/merging/after-merge/close-merged-issues.service.ts',
    'FIND',
  ),
  emails_enabled: read('src/core/projects/settings/mails-off.sql.ts', 'mailsOffSql'),
  approvals_before_merge: read('src/core/merge-requests/approvals/approved.sql.ts', 'NEEDED_ANYWAY'),
  pages_access_level: recorded('auth-core.md 6.4', 'pages'),
  analytics_access_level: recorded('auth-core.md 6.4', 'analytics of projects'),
  security_and_compliance_access_level: recorded('auth-core.md 6.4', 'security reports'),
  releases_access_level: recorded('auth-core.md 6.4', 'releases'),
  feature_flags_access_level: recorded('auth-core.md 6.4', 'feature flags of projects'),
  infrastructure_access_level: recorded('auth-core.md 6.4', 'clusters'),
  requirements_access_level: recorded('auth-core.md 6.4', 'requirements'),
  auto_devops_enabled: recorded('auth-core.md 6.4', 'Auto DevOps'),
  auto_devops_deploy_strategy: recorded('auth-core.md 6.4', 'Auto DevOps'),
  remove_source_branch_after_merge: recorded(
    'auth-core.md 6.4',
    'a page to make merge requests, whose box it ticks',
  ),
  printing_merge_request_link_enabled: recorded(
    'auth-core.md 6.4',
    'a page to make merge requests, which pushes would lead to',
  ),
  suggestion_commit_message: recorded('auth-core.md 6.4', 'suggestions'),
  issue_branch_template: recorded('auth-core.md 6.4', 'branches made of issues'),
  resolve_outdated_diff_discussions: recorded('auth-core.md 6.4', 'threads that know they are outdated'),
  service_desk_enabled: recorded('auth-core.md 6.4', 'a service desk'),
  request_access_enabled: recorded('auth-core.md 6.4', 'access requests'),
  enforce_auth_checks_on_uploads: recorded('auth-core.md 6.4', 'uploads of Markdown'),
  mirror: recorded('auth-core.md 6.4', 'mirrors'),
  external_authorization_classification_label: recorded('auth-core.md 6.4', 'a service that authorizes'),
  issues_template: recorded('auth-core.md 6.4', 'a page to make issues, which it fills'),
  merge_requests_template: recorded('auth-core.md 6.4', 'a page to make merge requests, which it fills'),
  merge_pipelines_enabled: recorded('auth-core.md 6.4', 'pipelines of merged results'),
  merge_trains_enabled: recorded('auth-core.md 6.4', 'merge trains'),
};
