import { Flag, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { FEATURE_DEFAULTS, ProjectFeatures } from './project-features.js';

/** Settings of the pipelines of a project. */
export class PipelineSettings extends ProjectFeatures {
  @Integer({ nullable: true, min: 0, max: 1000 })
  ci_default_git_depth!: number | null;

  @Flag()
  ci_forward_deployment_enabled!: boolean;

  @Flag()
  ci_job_token_scope_enabled!: boolean;

  @Flag({ description: 'Jobs of other projects need to be allowed individually' })
  ci_inbound_job_token_scope_enabled!: boolean;

  @Flag()
  ci_separated_caches!: boolean;

  @Flag()
  ci_allow_fork_pipelines_to_run_in_parent_project!: boolean;

  @OneOf(['fetch', 'clone'])
  build_git_strategy!: string;

  @Flag()
  keep_latest_artifact!: boolean;

  @Flag()
  restrict_user_defined_variables!: boolean;

  @Integer({ nullable: true, min: 1, max: 2_147_483_647 })
  runner_token_expiration_interval!: number | null;

  @Flag({ description: 'Everyone who can see the project can see its jobs and artifacts' })
  public_jobs!: boolean;

  @Integer({ min: 600, max: 2_678_400, description: 'Seconds that a job may take' })
  build_timeout!: number;

  @OneOf(['enabled', 'disabled'])
  auto_cancel_pending_pipelines!: string;

  @Text({ nullable: true, maxLength: 255 })
  build_coverage_regex!: string | null;

  @Text({ nullable: true, maxLength: 255, matches: /^(?!\/)(?!.*\.\.)/ })
  ci_config_path!: string | null;

  @Flag()
  shared_runners_enabled!: boolean;

  @Flag()
  group_runners_enabled!: boolean;

  @Flag({ nullable: true })
  auto_devops_enabled!: boolean | null;

  @OneOf(['continuous', 'manual', 'timed_incremental'])
  auto_devops_deploy_strategy!: string;

  @Flag({ description: 'Deployments with status running or success are refused during freeze periods' })
  enforce_freeze_periods!: boolean;

  @Flag({ description: 'The user who started a pipeline may approve its deployments' })
  allow_pipeline_trigger_approve_deployment!: boolean;
}

/** All settings of a project that are stored in `settings`. */
export class ProjectSettings extends PipelineSettings {
  @Flag()
  only_allow_merge_if_pipeline_succeeds!: boolean;

  @Flag({ nullable: true })
  allow_merge_on_skipped_pipeline!: boolean | null;

  @Flag()
  only_allow_merge_if_all_discussions_are_resolved!: boolean;

  @Flag()
  remove_source_branch_after_merge!: boolean;

  @Flag()
  printing_merge_request_link_enabled!: boolean;

  @OneOf(['merge', 'rebase_merge', 'ff'])
  merge_method!: string;

  @OneOf(['never', 'always', 'default_on', 'default_off'])
  squash_option!: string;

  @Text({ nullable: true, maxLength: 255 })
  suggestion_commit_message!: string | null;

  @Text({ nullable: true, maxLength: 500 })
  merge_commit_template!: string | null;

  @Text({ nullable: true, maxLength: 500 })
  squash_commit_template!: string | null;

  @Text({ nullable: true, maxLength: 255 })
  issue_branch_template!: string | null;

  @Flag()
  resolve_outdated_diff_discussions!: boolean;

  @Flag()
  autoclose_referenced_issues!: boolean;

  @Flag()
  service_desk_enabled!: boolean;

  @Flag()
  request_access_enabled!: boolean;

  @Flag()
  emails_enabled!: boolean;

  @Flag()
  enforce_auth_checks_on_uploads!: boolean;
}

/** Defaults of these settings. */
export const PROJECT_DEFAULTS: Readonly<ProjectSettings> = {
  ...FEATURE_DEFAULTS,
  ci_default_git_depth: 20,
  ci_forward_deployment_enabled: true,
  ci_job_token_scope_enabled: false,
  ci_inbound_job_token_scope_enabled: true,
  ci_separated_caches: true,
  ci_allow_fork_pipelines_to_run_in_parent_project: true,
  build_git_strategy: 'fetch',
  keep_latest_artifact: true,
  restrict_user_defined_variables: false,
  runner_token_expiration_interval: null,
  public_jobs: true,
  build_timeout: 3600,
  auto_cancel_pending_pipelines: 'enabled',
  build_coverage_regex: null,
  ci_config_path: null,
  shared_runners_enabled: true,
  group_runners_enabled: true,
  auto_devops_enabled: false,
  auto_devops_deploy_strategy: 'continuous',
  enforce_freeze_periods: false,
  allow_pipeline_trigger_approve_deployment: false,
  only_allow_merge_if_pipeline_succeeds: false,
  allow_merge_on_skipped_pipeline: null,
  only_allow_merge_if_all_discussions_are_resolved: false,
  remove_source_branch_after_merge: true,
  printing_merge_request_link_enabled: true,
  merge_method: 'merge',
  squash_option: 'default_off',
  suggestion_commit_message: null,
  merge_commit_template: null,
  squash_commit_template: null,
  issue_branch_template: null,
  resolve_outdated_diff_discussions: false,
  autoclose_referenced_issues: true,
  service_desk_enabled: false,
  request_access_enabled: true,
  emails_enabled: true,
  enforce_auth_checks_on_uploads: true,
};
