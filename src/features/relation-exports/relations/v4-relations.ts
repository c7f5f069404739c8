import type { Portable } from '#core/exchange/relation-export.js';

/** Archives that v4 servers request. */
export const ARCHIVES = {
  group: ['uploads'],
  project: ['repository', 'uploads', 'lfs_objects', 'design', 'snippets_repository'],
} as const satisfies Record<Portable, readonly string[]>;

/**
 * Relations that v4 servers request, even those without records here: if an export is missing, a v4 server
 * waits for minutes and then reports a failure.
 */
export const V4_RELATIONS: Readonly<Record<Portable, readonly string[]>> = {
  group: [
    'badges',
    'boards',
    'epic_boards',
    'epics',
    'iterations_cadences',
    'labels',
    'milestones',
    'namespace_settings',
  ],
  project: [
    'auto_devops',
    'boards',
    'ci_cd_settings',
    'ci_pipelines',
    'commit_notes',
    'container_expiration_policy',
    'custom_attributes',
    'error_tracking_setting',
    'external_pull_requests',
    'issues',
    'labels',
    'merge_requests',
    'milestones',
    'pipeline_schedules',
    'project_badges',
    'project_feature',
    'prometheus_metrics',
    'protected_branches',
    'protected_environments',
    'protected_tags',
    'push_rule',
    'releases',
    'security_setting',
    'service_desk_setting',
    'snippets',
  ],
};
