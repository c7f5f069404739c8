import { FEATURE_DEFAULTS, type FeatureLevel } from '#core/projects/settings/project-features.js';
import { NOT_OFFERED } from '#core/projects/not-offered.js';
import { PROJECT_DEFAULTS } from '#core/projects/settings/project-settings.js';
import { VISIBILITY_LEVELS } from './group-objects.js';
import type { OwnerRow } from './single-relation.js';

type Attributes = Readonly<Record<string, unknown>>;

/** Numbers of v4 servers for access levels of project parts. */
const FEATURE_LEVELS: Readonly<Record<FeatureLevel, number>> = {
  disabled: 0,
  private: 10,
  enabled: 20,
  public: 30,
};

/** Settings in the project's own row on v4 servers; those of pipelines and parts have separate relations. */
const OWN_SETTINGS = [
  'only_allow_merge_if_pipeline_succeeds',
  'only_allow_merge_if_all_discussions_are_resolved',
  'allow_merge_on_skipped_pipeline',
  'remove_source_branch_after_merge',
  'printing_merge_request_link_enabled',
  'resolve_outdated_diff_discussions',
  'request_access_enabled',
  'autoclose_referenced_issues',
  'suggestion_commit_message',
  'merge_commit_template',
  'squash_commit_template',
  'issue_branch_template',
  'build_timeout',
  'build_coverage_regex',
  'ci_config_path',
  'shared_runners_enabled',
  'lfs_enabled',
  'emails_enabled',
  'merge_method',
  'squash_option',
] as const;

const CI_SETTINGS = [
  'group_runners_enabled',
  'keep_latest_artifact',
  'restrict_user_defined_variables',
] as const;

/** Settings with other names there. */
const CI_NAMES = {
  ci_default_git_depth: 'default_git_depth',
  ci_forward_deployment_enabled: 'forward_deployment_enabled',
  ci_separated_caches: 'separated_caches',
  ci_job_token_scope_enabled: 'job_token_scope_enabled',
  ci_inbound_job_token_scope_enabled: 'inbound_job_token_scope_enabled',
  ci_allow_fork_pipelines_to_run_in_parent_project: 'allow_fork_pipelines_to_run_in_parent_project',
} as const;

const settingsOf = ({ settings }: OwnerRow): Attributes => ({
  ...PROJECT_DEFAULTS,
  ...settings,
  ...NOT_OFFERED,
});

const pick = (settings: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(names.map((name) => [name, settings[name]]));

/** Returns the attributes of a project. */
export function projectSelf(project: OwnerRow): Attributes {
  const settings = settingsOf(project);
  return {
    id: project.id,
    name: project.name,
    path: project.path,
    description: project.description,
    visibility_level: VISIBILITY_LEVELS[project.visibility],
    archived: project.archived,
    default_branch: project.default_branch,
    topics: project.topics,
    created_at: project.created_at,
    updated_at: project.updated_at,
    ...pick(settings, OWN_SETTINGS),
    public_builds: settings['public_jobs'],
    build_allow_git_fetch: settings['build_git_strategy'] === 'fetch',
    auto_cancel_pending_pipelines: settings['auto_cancel_pending_pipelines'],
    merge_requests_ff_only_enabled: settings['merge_method'] === 'ff',
    merge_requests_rebase_enabled: settings['merge_method'] !== 'merge',
    emails_disabled: settings['emails_enabled'] === false,
  };
}

const FEATURES = [...Object.keys(FEATURE_DEFAULTS), 'container_registry_access_level'];

/** Returns the access levels of its parts. */
export function projectFeature(project: OwnerRow): Attributes {
  const settings = settingsOf(project);
  return Object.fromEntries(FEATURES.map((name) => [name, FEATURE_LEVELS[settings[name] as FeatureLevel]]));
}

/** Returns its CI/CD settings. */
export function ciCdSettings(project: OwnerRow): Attributes {
  const settings = settingsOf(project);
  const renamed = Object.entries(CI_NAMES).map(([ours, theirs]) => [theirs, settings[ours]]);
  return { ...pick(settings, CI_SETTINGS), ...(Object.fromEntries(renamed) as Attributes) };
}

/** Returns whether pipelines are created without a configuration. */
export function autoDevops(project: OwnerRow): Attributes {
  const { auto_devops_enabled: enabled, auto_devops_deploy_strategy: strategy } = settingsOf(project);
  return { enabled, deploy_strategy: strategy };
}
