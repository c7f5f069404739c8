import type { ExplicitWords } from './explicit-words.js';

/** Names of operations on projects whose path does not reveal what they do. */
export const PROJECT_WORDS: ExplicitWords = {
  'GET /project_repository_storage_moves': [
    'listProjectStorageMoves',
    'List the repository storage moves of all projects',
  ],
  'POST /project_repository_storage_moves': [
    'scheduleProjectStorageMoves',
    'Schedule repository storage moves of all projects on a storage',
  ],
  'GET /project_repository_storage_moves/{repository_storage_move_id}': [
    'getProjectStorageMove',
    'Get a repository storage move among those of all projects',
  ],
  'GET /project_repository_storage_moves/{repository_storage_move_id}/events': [
    'watchProjectStorageMove',
    'Watch a repository storage move of a project as server-sent events',
  ],
  'GET /projects/{id}/alert_management_alerts/{alert_iid}/metric_images/{image_id}/file': [
    'downloadAlertMetricImage',
    'Download a metric image of an alert',
  ],
  'POST /projects/{id}/alert_management_alerts/{alert_iid}/metric_images': [
    'uploadAlertMetricImage',
    'Upload a metric image for an alert',
  ],
  'POST /projects/{id}/alert_management/integrations/{integration_id}/test': [
    'sendTestAlert',
    'Send a test alert to an alert integration',
  ],
  'GET /projects/{id}/approvals': ['getProjectApprovalSettings', 'Get the approval settings of a project'],
  'POST /projects/{id}/approvals': [
    'setProjectApprovalSettings',
    'Change the approval settings of a project',
  ],
  'DELETE /projects/{id}/artifacts': [
    'deleteProjectArtifacts',
    'Delete the artifacts of all jobs of a project',
  ],
  'GET /projects/{id}/ci/lint': ['lintProjectConfiguration', 'Check the CI/CD configuration of a project'],
  'POST /projects/{id}/ci/lint': ['lintConfiguration', 'Check a CI/CD configuration against a project'],
  'POST /projects/{id}/deployments/{deployment_id}/approval': [
    'approveDeployment',
    'Approve or reject a deployment',
  ],
  'DELETE /projects/{id}/environments/review_apps': [
    'deleteStoppedReviewApps',
    'Delete the stopped review environments of a project',
  ],
  'POST /projects/{id}/environments/stop_stale': [
    'stopStaleEnvironments',
    'Stop the environments of a project that were not lately deployed to',
  ],
  'DELETE /projects/{id}/error_tracking/client_keys': [
    'deleteProjectClientKeyByQuery',
    'Delete a client key of a project, by its id in the query',
  ],
  'GET /projects/{id}/error_tracking/events/{event_id}': [
    'getProjectErrorEvent',
    'Get an error event of a project',
  ],
  'GET /projects/{id}/error_tracking/errors/{error_id}/events': [
    'listErrorEvents',
    'List the events of an error',
  ],
  'GET /projects/{id}/error_tracking/settings': [
    'getErrorTrackingSettings',
    'Get the error tracking settings of a project',
  ],
  'PATCH /projects/{id}/error_tracking/settings': [
    'updateErrorTrackingSettings',
    'Update the error tracking settings of a project',
  ],
  'PUT /projects/{id}/error_tracking/settings': [
    'putErrorTrackingSettings',
    'Create or replace the error tracking settings of a project',
  ],
  'GET /projects/{id}/export_relations': [
    'listProjectRelationExports',
    'List the relation exports of a project',
  ],
  'POST /projects/{id}/export_relations': [
    'startProjectRelationExport',
    'Start an export of the relations of a project',
  ],
  'GET /projects/{id}/export_relations/download': [
    'downloadProjectRelation',
    'Download an exported relation of a project',
  ],
  'GET /projects/{id}/export_relations/status': [
    'getProjectRelationExportStatus',
    'Get the status of the relation exports of a project',
  ],
  'GET /projects/{id}/freeze_periods/status': [
    'getProjectFreezeStatus',
    'Tell whether a project is in a freeze period',
  ],
  'GET /projects/{id}/groups': ['listProjectGroups', 'List the groups above a project'],
  'GET /projects/{id}/issues_statistics': ['getProjectIssuesStatistics', 'Count the issues of a project'],
  'GET /projects/{id}/issues/{issue_iid}/closed_by': [
    'listIssueClosingMergeRequests',
    'List the merge requests that close an issue on merge',
  ],
  'GET /projects/{id}/issues/{issue_iid}/related_merge_requests': [
    'listIssueRelatedMergeRequests',
    'List the merge requests that are related to an issue',
  ],
  'POST /projects/{id}/issues/{issue_iid}/links': ['createIssueLink', 'Link an issue to another one'],
  'GET /projects/{id}/issues/{issue_iid}/links': [
    'listIssueLinks',
    'List the issues that are linked to an issue',
  ],
  'GET /projects/{id}/job_token_scope/allowlist': [
    'listJobTokenAllowlist',
    'List the projects whose job tokens may reach a project',
  ],
  'POST /projects/{id}/job_token_scope/allowlist': [
    'addToJobTokenAllowlist',
    'Let the job tokens of another project reach a project',
  ],
  'DELETE /projects/{id}/job_token_scope/allowlist/{target_project_id}': [
    'removeFromJobTokenAllowlist',
    'Stop the job tokens of another project from reaching a project',
  ],
  'DELETE /projects/{id}/jobs/{job_id}/artifacts': ['deleteJobArtifacts', 'Delete the artifacts of a job'],
  'GET /projects/{id}/jobs/{job_id}/artifacts': ['downloadJobArtifacts', 'Download the artifacts of a job'],
  'GET /projects/{id}/jobs/{job_id}/artifacts/{artifact_path}': [
    'downloadJobArtifactFile',
    'Download a file from the artifacts of a job',
  ],
  'POST /projects/{id}/jobs/{job_id}/artifacts/keep': [
    'keepJobArtifacts',
    'Keep the artifacts of a job from expiring',
  ],
  'GET /projects/{id}/jobs/artifacts/{ref_name}/download': [
    'downloadLatestArtifacts',
    'Download the artifacts of the latest successful job of a branch or tag',
  ],
  'GET /projects/{id}/jobs/artifacts/{ref_name}/raw/{artifact_path}': [
    'downloadLatestArtifactFile',
    'Download a file from the artifacts of the latest successful job of a branch or tag',
  ],
  'DELETE /projects/{id}/labels': [
    'deleteProjectLabelByName',
    'Delete a label of a project, by its name in the query',
  ],
  'PUT /projects/{id}/labels': [
    'updateProjectLabelByName',
    'Update a label of a project, by its name in the body',
  ],
  'PUT /projects/{id}/labels/promote': [
    'promoteProjectLabelByName',
    'Promote a label of a project to the group, by its name in the body',
  ],
  'GET /projects/{id}/members/all': [
    'listAllProjectMembers',
    'List the members of a project, inherited ones too',
  ],
  'GET /projects/{id}/members/all/{user_id}': [
    'getAnyProjectMember',
    'Get a member of a project, direct or inherited',
  ],
  'GET /projects/{id}/notification_settings': [
    'getProjectNotificationSettings',
    "Get the caller's notification settings in a project",
  ],
  'PUT /projects/{id}/notification_settings': [
    'updateProjectNotificationSettings',
    "Update the caller's notification settings in a project",
  ],
  'GET /projects/{id}/notification_settings/preview': [
    'previewProjectNotifications',
    'Preview who is notified of an event in a project',
  ],
  'PUT /projects/{id}/pipelines/{pipeline_id}/metadata': ['renamePipeline', 'Rename a pipeline'],
  'GET /projects/{id}/pipelines/latest': [
    'getLatestProjectPipeline',
    'Get the latest pipeline of a branch or tag',
  ],
  'GET /projects/{id}/pipelines/{pipeline_id}/variables': [
    'listPipelineVariables',
    'List the variables of a pipeline',
  ],
  'GET /projects/{id}/repository_storage_moves': [
    'listStorageMovesOfProject',
    'List the repository storage moves of a project',
  ],
  'POST /projects/{id}/repository_storage_moves': [
    'scheduleStorageMoveOfProject',
    'Schedule a repository storage move of a project',
  ],
  'GET /projects/{id}/repository_storage_moves/{repository_storage_move_id}': [
    'getStorageMoveOfProject',
    'Get a repository storage move of a project',
  ],
  'POST /projects/{id}/runners': ['assignProjectRunner', 'Assign a runner to a project'],
  'DELETE /projects/{id}/runners/{runner_id}': ['unassignProjectRunner', 'Remove a runner from a project'],
  'POST /projects/{id}/runners/reset_registration_token': [
    'resetProjectRegistrationToken',
    'Reset the runner registration token of a project',
  ],
  'DELETE /projects/{id}/share/{group_id}': ['unshareProject', 'Stop sharing a project with a group'],
  'GET /projects/{id}/starrers': ['listProjectStarrers', 'List the users who starred a project'],
  'GET /projects/{id}/users': ['listProjectUsers', 'List the users who are members of a project'],
  'POST /projects/{id}/wikis/attachments': [
    'uploadProjectWikiAttachment',
    'Upload an attachment to the wiki of a project',
  ],
  'POST /projects/user/{user_id}': ['createProjectForUser', 'Create a project for another user'],
  'POST /projects/{id}/issues/{issue_iid}/time_estimate': [
    'setIssueTimeEstimate',
    'Set the time estimate of an issue',
  ],
};
