/** Features of a project that can be disabled or restricted to its members. */
const PARTS: Readonly<Record<string, string>> = {
  analytics: 'analytics',
  builds: 'pipelines and jobs',
  environments: 'environments and deployments',
  feature_flags: 'feature flags',
  forking: 'forks',
  infrastructure: 'infrastructure',
  issues: 'issues',
  merge_requests: 'merge requests',
  monitor: 'alerts and error tracking',
  package_registry: 'packages',
  pages: 'pages',
  releases: 'releases',
  repository: 'the repository',
  requirements: 'requirements',
  security_and_compliance: 'security and compliance',
  snippets: 'snippets',
  wiki: 'the wiki',
};

const partWords = Object.fromEntries(
  Object.entries(PARTS).map(([name, words]) => [
    `${name}_access_level`,
    `Who may use ${words}: nobody, members (\`private\`) or all who see the project (\`enabled\`)`,
  ]),
);

/** Older switches of the same features. */
const SWITCHES: Readonly<Record<string, string>> = {
  issues_enabled: 'issues',
  jobs_enabled: 'pipelines and jobs',
  merge_requests_enabled: 'merge requests',
  packages_enabled: 'packages',
  requirements_enabled: 'requirements',
  security_and_compliance_enabled: 'security and compliance',
  service_desk_enabled: 'the service desk',
  snippets_enabled: 'snippets',
  wiki_enabled: 'the wiki',
};

const switchWords = Object.fromEntries(
  Object.entries(SWITCHES).map(([name, words]) => [name, `Whether the project has ${words}`]),
);

/** Descriptions of the settings of projects and groups. */
export const PROJECT_WORDS: Readonly<Record<string, string>> = {
  ...partWords,
  ...switchWords,
  allow_merge_on_skipped_pipeline:
    'Whether a skipped pipeline counts as a success where one is needed to merge',
  approvals_before_merge: 'How many must approve a merge request, at most 100',
  auto_cancel_pending_pipelines: 'Whether newer pipelines cancel pending ones',
  auto_devops_deploy_strategy: 'How Auto DevOps deploys',
  auto_devops_enabled:
    'Whether projects without a CI/CD configuration use Auto DevOps; null: as the group or instance',
  autoclose_referenced_issues: 'Whether merging closes the issues that the merge request names',
  build_coverage_regex: 'Pattern that finds the coverage in logs',
  build_git_strategy: 'Whether jobs fetch into the existing repository, or clone it anew',
  ci_allow_fork_pipelines_to_run_in_parent_project:
    'Whether members may run pipelines of merge requests from forks in this project',
  ci_config_path: 'Path of the CI/CD configuration in the repository; default: `.gitlab-ci.yml`',
  ci_default_git_depth: 'How many commits jobs fetch; 0 for all',
  ci_forward_deployment_enabled:
    'Whether jobs that would deploy something older than the current deployment are refused',
  ci_job_token_scope_enabled: 'Whether job tokens of this project have access only to listed projects',
  ci_separated_caches: 'Whether protected branches have a separate cache',
  default_branch: 'Name of the default branch',
  default_branch_protection:
    'Protection of new default branches: 0 none; 1 developers may push; 2 and 4 only maintainers may push and merge; 3 developers may only merge',
  emails_disabled: 'Whether mails about the group are disabled; null: as the parent group',
  emails_enabled: 'Whether mails about the project are sent',
  enforce_auth_checks_on_uploads: 'Whether uploaded files are visible only to those who can see the project',
  external_authorization_classification_label: 'Label for an external authorization service',
  group_runners_enabled: 'Whether the runners of its groups may run its jobs',
  issue_branch_template: 'Template for names of branches created from issues, with `%{id}` and `%{title}`',
  issues_template: 'Description that new issues begin with',
  keep_latest_artifact:
    'Whether the artifacts of the latest successful pipeline of each branch are kept forever',
  mentions_disabled: 'Whether mentions of the group notify no one; null: as the parent group',
  merge_commit_template: 'Message of merge commits',
  merge_method: 'Whether merging creates a merge commit always, only for a rebased branch, or never (`ff`)',
  merge_pipelines_enabled: 'Whether pipelines run on the result of a merge',
  merge_requests_template: 'Description that new merge requests begin with',
  merge_trains_enabled: 'Whether merge trains are used',
  mirror: 'Whether the project mirrors another repository',
  only_allow_merge_if_all_discussions_are_resolved:
    'Whether merging waits until all discussions are resolved',
  only_allow_merge_if_pipeline_succeeds: 'Whether merging needs a successful pipeline',
  prevent_sharing_groups_outside_hierarchy: 'Whether its groups are shared only with one another',
  printing_merge_request_link_enabled:
    'Whether the response to a push contains a URL for creating a merge request',
  project_creation_level: 'Who may create projects in the group',
  remove_source_branch_after_merge: 'Whether merge requests delete their source branch by default',
  request_access_enabled: 'Whether others may ask to become members',
  resolve_outdated_diff_discussions: 'Whether a push resolves discussions on lines that it changes',
  restrict_user_defined_variables: 'Whether only maintainers may start pipelines and jobs with variables',
  runner_token_expiration_interval: 'Seconds after which tokens of its runners expire; null for never',
  share_with_group_lock: 'Whether projects of the group are not shared with other groups',
  shared_runners_enabled: 'Whether the runners of the instance may run its jobs',
  shared_runners_setting:
    'Whether projects of the group may use the runners of the instance, and who may change that',
  squash_commit_template: 'Message of squash commits',
  squash_option: 'Whether merge requests are squashed',
  subgroup_creation_level: 'Who may create subgroups',
  suggestion_commit_message: 'Message of commits that apply suggestions',
  topics: 'Topics of the project',
  'Group.require_two_factor_authentication': 'Whether members must set up a second factor',
};
