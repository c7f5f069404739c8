import { ADMIN_WORDS } from './explicit-admin-words.js';
import { CODE_WORDS } from './explicit-code-words.js';
import { PROJECT_WORDS } from './explicit-project-words.js';
import { USER_WORDS } from './explicit-user-words.js';

/** Names of operations whose path does not reveal what they do, by method and path. */
export type ExplicitWords = Readonly<Record<string, readonly [id: string, summary: string]>>;

const OTHER_WORDS: ExplicitWords = {
  'GET /.well-known/oauth-authorization-server': [
    'getOauthMetadata',
    'Get the metadata of the OAuth authorization server',
  ],
  'GET /.well-known/openid-configuration': ['getOpenidConfiguration', 'Get the OpenID Connect configuration'],
  'GET /.well-known/webfinger': ['findOpenidIssuer', 'Find the OpenID Connect issuer of a resource'],
  'POST /{project}/alerts/notify': ['sendAlertToProject', 'Send an alert, or several, to a project'],
  'POST /{project}/alerts/notify.json': [
    'sendAlertToProjectAsJson',
    'Send an alert, or several, to a project, by the path that ends in .json',
  ],
  'POST /{project}/alerts/notify/{slug}/{identifier}': [
    'sendAlertToIntegration',
    'Send an alert, or several, to an alert integration of a project',
  ],
  'GET /admin/ci/variables': ['listInstanceVariables', 'List the CI/CD variables of the instance'],
  'POST /admin/ci/variables': ['createInstanceVariable', 'Create a CI/CD variable of the instance'],
  'DELETE /admin/ci/variables/{key}': ['deleteInstanceVariable', 'Delete a CI/CD variable of the instance'],
  'GET /admin/ci/variables/{key}': ['getInstanceVariable', 'Get a CI/CD variable of the instance'],
  'PUT /admin/ci/variables/{key}': ['updateInstanceVariable', 'Update a CI/CD variable of the instance'],
  'GET /analytics/group_activity/issues_count': [
    'countNewGroupIssues',
    'Count the issues that were lately created in a group',
  ],
  'GET /analytics/group_activity/merge_requests_count': [
    'countNewGroupMergeRequests',
    'Count the merge requests that were lately created in a group',
  ],
  'GET /analytics/group_activity/new_members_count': [
    'countNewGroupMembers',
    'Count the members who lately joined a group',
  ],
  'GET /application/plan_limits': ['getPlanLimits', 'Get the limits of a plan'],
  'PUT /application/plan_limits': ['updatePlanLimits', 'Update the limits of a plan'],
  'GET /application/settings': ['getInstanceSettings', 'Get the settings of the instance'],
  'PUT /application/settings': ['updateInstanceSettings', 'Update the settings of the instance'],
  'GET /application/statistics': ['getInstanceStatistics', 'Count what the instance holds'],
  'POST /applications/{id}/renew-secret': [
    'renewOauthApplicationSecret',
    'Renew the secret of an OAuth application',
  ],
  'GET /audit_events': ['listInstanceAuditEvents', 'List the audit events of the instance'],
  'GET /audit_events/{id}': ['getInstanceAuditEvent', 'Get an audit event of the instance'],
  'GET /avatar': ['findAvatar', 'Find the avatar that belongs to an email address'],
  'POST /bulk_imports': ['startMigration', 'Start a migration from another instance'],
  'GET /bulk_imports/{id}/events': [
    'watchMigration',
    'Watch the progress of a migration as server-sent events',
  ],
  'GET /bulk_imports/entities': ['listEntities', 'List the entities of all migrations'],
  'GET /deploy_tokens': ['listDeployTokens', 'List the deploy tokens of the instance'],
  'POST /error_tracking/collector/api/{id}/envelope': [
    'sendErrorEnvelope',
    'Send an envelope of errors to a project',
  ],
  'POST /error_tracking/collector/api/{id}/store': ['sendErrorEvent', 'Send an error to a project'],
  'POST /errortracking/api/v1/projects/api/{id}/envelope': [
    'sendErrorEnvelopeToSecondPath',
    'Send an envelope of errors to a project, by the second path of the collector',
  ],
  'POST /errortracking/api/v1/projects/api/{id}/store': [
    'sendErrorEventToSecondPath',
    'Send an error to a project, by the second path of the collector',
  ],
  'GET /events': ['listOwnEvents', "List the caller's own events"],
  'POST /features/{name}': ['setFeatureFlag', 'Set a feature flag'],
  'GET /features/definitions': [
    'listFeatureFlagDefinitions',
    'List the feature flags that the instance knows',
  ],
  'GET /geo_nodes': ['listSites', 'List the sites of the instance'],
  'GET /geo_sites': ['listGeoSites', 'List the sites of the instance, by the newer path'],
  'GET /group_repository_storage_moves': [
    'listGroupStorageMoves',
    'List the repository storage moves of all groups',
  ],
  'POST /group_repository_storage_moves': [
    'scheduleGroupStorageMoves',
    'Schedule repository storage moves of all groups on a storage',
  ],
  'GET /group_repository_storage_moves/{repository_storage_move_id}': [
    'getGroupStorageMove',
    'Get a repository storage move among those of all groups',
  ],
  'GET /group_repository_storage_moves/{repository_storage_move_id}/events': [
    'watchGroupStorageMove',
    'Watch a repository storage move of a group as server-sent events',
  ],
  'GET /groups/{id}/epics/{epic_iid}/epics': ['listEpicChildren', 'List the child epics of an epic'],
  'POST /groups/{id}/epics/{epic_iid}/epics': ['createEpicChild', 'Create a child epic of an epic'],
  'DELETE /groups/{id}/epics/{epic_iid}/epics/{child_epic_id}': [
    'removeEpicChild',
    'Remove a child epic from an epic',
  ],
  'POST /groups/{id}/epics/{epic_iid}/epics/{child_epic_id}': [
    'addEpicChild',
    'Assign an epic to a parent epic',
  ],
  'PUT /groups/{id}/epics/{epic_iid}/epics/{child_epic_id}': [
    'reorderEpicChild',
    'Reorder a child epic of an epic',
  ],
  'DELETE /groups/{id}/epics/{epic_iid}/issues/{epic_issue_id}': [
    'removeEpicIssue',
    'Remove an issue from an epic',
  ],
  'PUT /groups/{id}/epics/{epic_iid}/issues/{epic_issue_id}': [
    'reorderEpicIssue',
    'Reorder an issue of an epic',
  ],
  'POST /groups/{id}/epics/{epic_iid}/issues/{issue_id}': ['addEpicIssue', 'Assign an issue to an epic'],
  'GET /groups/{id}/export_relations': ['listGroupRelationExports', 'List the relation exports of a group'],
  'POST /groups/{id}/export_relations': [
    'startGroupRelationExport',
    'Start an export of the relations of a group',
  ],
  'GET /groups/{id}/export_relations/download': [
    'downloadGroupRelation',
    'Download an exported relation of a group',
  ],
  'GET /groups/{id}/export_relations/status': [
    'getGroupRelationExportStatus',
    'Get the status of the relation exports of a group',
  ],
  'DELETE /groups/{id}/labels': [
    'deleteGroupLabelByName',
    'Delete a label of a group, by its name in the query',
  ],
  'PUT /groups/{id}/labels': ['updateGroupLabelByName', 'Update a label of a group, by its name in the body'],
  'GET /groups/{id}/members/all': ['listAllGroupMembers', 'List the members of a group, inherited ones too'],
  'GET /groups/{id}/members/all/{user_id}': [
    'getAnyGroupMember',
    'Get a member of a group, direct or inherited',
  ],
  'GET /groups/{id}/notification_settings/preview': [
    'previewGroupNotifications',
    'Preview who is notified of an event in a group',
  ],
  'POST /groups/{id}/projects/{project_id}': ['transferProjectToGroup', 'Transfer a project to a group'],
  'GET /groups/{id}/projects/shared': [
    'listProjectsSharedWithGroup',
    'List the projects shared with a group',
  ],
  'GET /groups/{id}/repository_storage_moves': [
    'listStorageMovesOfGroup',
    'List the repository storage moves of a group',
  ],
  'POST /groups/{id}/repository_storage_moves': [
    'scheduleStorageMoveOfGroup',
    'Schedule a repository storage move of a group',
  ],
  'GET /groups/{id}/repository_storage_moves/{repository_storage_move_id}': [
    'getStorageMoveOfGroup',
    'Get a repository storage move of a group',
  ],
  'POST /groups/{id}/runners/reset_registration_token': [
    'resetGroupRegistrationToken',
    'Reset the runner registration token of a group',
  ],
  'POST /groups/{id}/share': ['shareGroup', 'Share a group with another group'],
  'DELETE /groups/{id}/share/{group_id}': ['unshareGroup', 'Stop sharing a group with another group'],
  'GET /groups/{id}/descendant_groups': [
    'listDescendantGroups',
    'List the groups below a group, at any depth',
  ],
  'GET /groups/{id}/subgroups': ['listSubgroups', 'List the subgroups directly below a group'],
  'POST /groups/{id}/transfer': ['transferGroup', 'Transfer a group to another parent, or to the top level'],
  'POST /groups/{id}/wikis/attachments': [
    'uploadGroupWikiAttachment',
    'Upload an attachment to the wiki of a group',
  ],
  'GET /issues': ['listIssues', 'List the issues that the caller can see'],
  'GET /issues_statistics': ['getIssuesStatistics', 'Count the issues that the caller can see'],
  'GET /groups/{id}/issues_statistics': ['getGroupIssuesStatistics', 'Count the issues of a group'],
  'GET /issues/{issue_id}': ['getIssue', 'Get an issue, by its id'],
  'GET /job': ['getJobOfToken', 'Get the job to which the job token belongs'],
  'GET /jobs/{id}/artifacts': ['downloadArtifactsForRunner', 'Download the artifacts of a job, as a runner'],
  'POST /jobs/{id}/artifacts': ['uploadArtifacts', 'Upload artifacts of a job, as a runner'],
  'POST /jobs/{id}/artifacts/authorize': [
    'authorizeArtifactsUpload',
    'Ask whether artifacts of a job may be uploaded, as a runner',
  ],
  'PUT /jobs/{job_id}': ['updateRunningJob', 'Update the state of a running job, as a runner'],
  'PATCH /jobs/{job_id}/trace': ['appendJobLog', 'Append to the log of a running job, as a runner'],
  'POST /jobs/request': ['requestJob', 'Ask for a job to run, as a runner'],
  'GET /license': ['getCurrentLicense', 'Get the current license'],
  'POST /license': ['addLicense', 'Add a license'],
  'PUT /license/{id}/refresh_billable_users': [
    'refreshBillableUsers',
    'Count the billable users of a license anew',
  ],
  'GET /merge_requests': ['listMergeRequests', 'List the merge requests that the caller can see'],
  'GET /metadata': ['getMetadata', 'Get the version of the instance and facts about it'],
  'GET /namespaces': ['listNamespaces', 'List the namespaces of the caller'],
  'GET /namespaces/{namespace}/exists': ['checkNamespace', 'Check whether a namespace exists'],
  'GET /notification_settings': ['getNotificationSettings', "Get the caller's notification settings"],
  'PUT /notification_settings': ['updateNotificationSettings', "Update the caller's notification settings"],
  'GET /groups/{id}/notification_settings': [
    'getGroupNotificationSettings',
    "Get the caller's notification settings in a group",
  ],
  'PUT /groups/{id}/notification_settings': [
    'updateGroupNotificationSettings',
    "Update the caller's notification settings in a group",
  ],
  'GET /notification_settings/preview': [
    'previewNotifications',
    'Preview whether the caller is notified of an event',
  ],
  'GET /oauth/authorize': ['authorizeApplication', 'Ask a user for consent to an application'],
  'GET /oauth/discovery/keys': ['getOpenidKeys', 'Get the keys that sign id tokens'],
  'POST /oauth/introspect': ['introspectToken', 'Ask whether a token is active'],
  'POST /oauth/revoke': ['revokeToken', 'Revoke a token'],
  'POST /oauth/token': ['createToken', 'Exchange a grant for an access token'],
  'GET /oauth/token/info': ['getTokenInfo', 'Get what is known of the token that is sent'],
  'GET /oauth/userinfo': ['getUserinfo', 'Get the claims about the user of a token'],
  'POST /oauth/userinfo': ['postUserinfo', 'Get the claims about the user of a token, by POST'],
  'GET /openapi.json': ['getApiDocument', 'Get this document'],
  'DELETE /personal_access_tokens/{id}': ['revokePersonalAccessToken', 'Revoke a personal access token'],
  'DELETE /personal_access_tokens/self': ['revokeOwnToken', 'Revoke the access token that is sent'],
  'GET /personal_access_tokens/self': ['getOwnToken', 'Get the access token that is sent'],
  'POST /personal_access_tokens/self/rotate': ['rotateOwnToken', 'Rotate the access token that is sent'],
  'DELETE /runners': ['deleteRunnerByToken', 'Delete a runner, by its token'],
  'GET /runners': ['listOwnRunners', 'List the runners that the caller may manage'],
  'POST /runners': ['registerRunner', 'Register a runner with a registration token'],
  'GET /runners/{id}/managers': ['listRunnerMachines', 'List the machines of a runner'],
  'GET /runners/all': ['listRunners', 'List all runners of the instance'],
  'DELETE /runners/managers': ['deleteRunnerMachine', 'Delete a machine of a runner, by its system id'],
  'POST /runners/reset_authentication_token': [
    'resetOwnRunnerToken',
    'Reset the authentication token of a runner, by that token',
  ],
  'POST /runners/reset_registration_token': [
    'resetRegistrationToken',
    'Reset the runner registration token of the instance',
  ],
  'POST /runners/verify': ['verifyRunner', 'Check the authentication token of a runner'],
  'GET /snippet_repository_storage_moves': [
    'listSnippetStorageMoves',
    'List the repository storage moves of all snippets',
  ],
  'POST /snippet_repository_storage_moves': [
    'scheduleSnippetStorageMoves',
    'Schedule repository storage moves of all snippets on a storage',
  ],
  'GET /snippet_repository_storage_moves/{repository_storage_move_id}': [
    'getSnippetStorageMove',
    'Get a repository storage move among those of all snippets',
  ],
  'GET /snippet_repository_storage_moves/{repository_storage_move_id}/events': [
    'watchSnippetStorageMove',
    'Watch a repository storage move of a snippet as server-sent events',
  ],
  'GET /snippets/{id}/repository_storage_moves': [
    'listStorageMovesOfSnippet',
    'List the repository storage moves of a snippet',
  ],
  'POST /snippets/{id}/repository_storage_moves': [
    'scheduleStorageMoveOfSnippet',
    'Schedule a repository storage move of a snippet',
  ],
  'GET /snippets/{id}/repository_storage_moves/{repository_storage_move_id}': [
    'getStorageMoveOfSnippet',
    'Get a repository storage move of a snippet',
  ],
};

/** All names of operations whose path does not reveal what they do. */
export const EXPLICIT_WORDS: ExplicitWords = {
  ...OTHER_WORDS,
  ...PROJECT_WORDS,
  ...CODE_WORDS,
  ...USER_WORDS,
  ...ADMIN_WORDS,
};
