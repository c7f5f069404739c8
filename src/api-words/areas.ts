import type { RouteDescription } from '#kernel/http/routes/route-list.js';

/** The areas of the specification, which order the document, each with a description. */
export const AREAS = {
  'Access tokens':
    'Personal, impersonation, project, group and deploy tokens: create, rotate and revoke them.',
  'Alert intake': 'Where monitoring systems send alerts, with the key of an alert integration.',
  Alerts: 'Alerts of a project, their metric images, and the integrations that receive them.',
  'Audit events': 'Who changed what, for the instance, a group or a project.',
  'CI/CD variables': 'Variables that jobs get from the instance, a group or a project.',
  Deployments: 'Deployments of a project, and their approval.',
  Environments: 'Environments of a project, and who may deploy to the protected ones.',
  Epics: 'Epics of a group: child epics, issues, notes, discussions and history.',
  'Error intake': 'Where applications send their errors, with the client key of a project.',
  'Error tracking': 'Errors that applications reported, client keys, and the settings for both.',
  Events: 'Actions of users, in general and in a project.',
  'Freeze periods': 'Times during which a project is not deployed.',
  'Group activity analytics': 'Numbers of recent issues, merge requests and members of a group.',
  Groups: 'Groups and their subgroups: settings, sharing, transfer, deletion.',
  Instance: 'Settings, limits, license, feature flags and information about the instance.',
  Issues: 'Issues with their links, time tracking, subscriptions and history.',
  'Job artifacts': 'Files that jobs leave behind: download, keep and delete them.',
  Jobs: 'Jobs of pipelines, their logs, and the access of their tokens.',
  Labels: 'Labels of groups and projects.',
  'Managed licenses': 'Licenses of dependencies that a project allows or denies.',
  Members: 'Members of groups and projects, and their roles.',
  'Merge requests': 'Merge requests: changes, approval, merging, time tracking, history.',
  Migrations: 'Direct transfer of groups and projects from another instance, and the exports that it reads.',
  Milestones: 'Milestones of groups and projects.',
  Namespaces: 'Users and groups as containers of projects.',
  'Notes and discussions': 'Notes, discussions and emoji reactions on issues, merge requests and snippets.',
  'Notification settings': 'What the caller is notified of, in general and in a group or project.',
  'OAuth 2.0 provider': 'Tokens by authorization code, password or client credentials, and OpenID Connect.',
  'OAuth applications': 'Applications that may ask users for access.',
  Packages: 'Packages published by a project, and their files.',
  Pipelines: 'Pipelines of a project, their test reports, and checks of the configuration.',
  Projects: 'Projects: settings, stars, forks, sharing, transfer, deletion.',
  Repository: 'Commits, files, branches, tags and the rules that protect them.',
  'Repository storage moves': 'Moving repositories between storages.',
  'Runner protocol': 'Requests of runners: register, request jobs, send logs and artifacts.',
  Runners: 'Runners of the instance, of groups and of projects, for those who administer them.',
  Snippets: 'Snippets of users and projects.',
  Users: 'Users, their keys, email addresses and status, and the management of accounts.',
  Wikis: 'Wiki pages of groups and projects.',
} as const;

type Area = keyof typeof AREAS;

/** The area of a route is that of the first pattern that matches its path. */
const PATHS: readonly (readonly [RegExp, Area])[] = [
  [/^\/(oauth|\.well-known)\/|^\/api\/v4\/\.well-known/, 'OAuth 2.0 provider'],
  [/\/alerts\/notify/, 'Alert intake'],
  [/\/error_?tracking\/(collector|api)\//, 'Error intake'],
  [/\/error_tracking\//, 'Error tracking'],
  [/\/alert_management/, 'Alerts'],
  [/storage_moves/, 'Repository storage moves'],
  [/\/(bulk_imports|export_relations)/, 'Migrations'],
  [/\/analytics\/group_activity/, 'Group activity analytics'],
  [/\/notification_settings/, 'Notification settings'],
  [/\/audit_events/, 'Audit events'],
  [/\/(access_tokens|personal_access_tokens|impersonation_tokens|deploy_tokens)(\/|$)/, 'Access tokens'],
  [/^\/api\/v4\/applications/, 'OAuth applications'],
  [/\/epics(\/|$)/, 'Epics'],
  [/\/pipelines\/:pipeline_id\/variables$/, 'Pipelines'],
  [/\/(discussions|notes|award_emoji)(\/|$)/, 'Notes and discussions'],
  [
    /^\/api\/v4\/(jobs\/(request|:)|runners\/(verify|managers|reset_authentication_token)$)/,
    'Runner protocol',
  ],
  [/\/artifacts(\/|$)/, 'Job artifacts'],
  [/\/deployments/, 'Deployments'],
  [/\/(protected_)?environments/, 'Environments'],
  [/\/freeze_periods/, 'Freeze periods'],
  [/\/variables(\/|$)/, 'CI/CD variables'],
  [/\/packages(\/|$)/, 'Packages'],
  [/\/runners(\/|$)/, 'Runners'],
  [/\/(members|memberships)(\/|$)/, 'Members'],
  [/\/milestones(\/|$)/, 'Milestones'],
  [/\/labels(\/|$)/, 'Labels'],
  [/\/(issues|issues_statistics)(\/|$)/, 'Issues'],
  [/\/repository\/|\/protected_(branches|tags)|\/statuses\//, 'Repository'],
  [/\/merge_requests(\/|$)|\/approval(s|_rules)(\/|$)/, 'Merge requests'],
  [/\/pipelines?(\/|$)|\/ci\/lint/, 'Pipelines'],
  [/\/(jobs?|job_token_scope)(\/|$)/, 'Jobs'],
  [/\/managed_licenses/, 'Managed licenses'],
  [/\/snippets/, 'Snippets'],
  [/\/wikis/, 'Wikis'],
  [/\/events$/, 'Events'],
  [/\/namespaces/, 'Namespaces'],
  [/^\/api\/v4\/users\/:id\/(starred_)?projects$/, 'Projects'],
  [/^\/api\/v4\/(users?|user_counts|avatar)(\/|$)/, 'Users'],
  [/^\/api\/v4\/(projects|groups\/:id\/projects)(\/|$)/, 'Projects'],
  [/^\/api\/v4\/groups/, 'Groups'],
];

/** Runners register and unregister under the same path that lists them. */
const OF_RUNNERS = 'Runner protocol';

/** Returns the area of a route: paths that match no pattern belong to the instance. */
export const areaOf = ({ path, rule }: Pick<RouteDescription, 'path' | 'rule'>): Area =>
  rule?.credential === 'runner'
    ? OF_RUNNERS
    : (PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? 'Instance');
