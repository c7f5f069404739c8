import type { ExplicitWords } from './explicit-words.js';

/**
 * Names of operations on code, merge requests, packages and snippets of projects whose path does not reveal
 * what they do.
 */
export const CODE_WORDS: ExplicitWords = {
  'GET /projects/{id}/merge_requests/{merge_request_iid}/approvals': [
    'getMergeRequestApprovals',
    'Get the approvals of a merge request',
  ],
  'POST /projects/{id}/merge_requests/{merge_request_iid}/cancel_merge_when_pipeline_succeeds': [
    'cancelMergeRequestAutoMerge',
    'Cancel the automatic merge of a merge request',
  ],
  'GET /projects/{id}/merge_requests/{merge_request_iid}/changes': [
    'getMergeRequestChanges',
    'Get a merge request with its diffs',
  ],
  'GET /projects/{id}/merge_requests/{merge_request_iid}/closes_issues': [
    'listMergeRequestClosedIssues',
    'List the issues that a merge request closes on merge',
  ],
  'GET /projects/{id}/merge_requests/{merge_request_iid}/merge_ref': [
    'getMergeRequestMergeRef',
    'Get the commit that merging a merge request would make',
  ],
  'POST /projects/{id}/merge_requests/{merge_request_iid}/unapprove': [
    'unapproveMergeRequest',
    "Withdraw the caller's approval of a merge request",
  ],
  'PUT /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}': [
    'resolveMergeRequestDiscussion',
    'Resolve a discussion on a merge request, or open it again',
  ],
  'GET /projects/{id}/packages/{package_id}/package_files': [
    'listPackageFiles',
    'List the files of a package',
  ],
  'DELETE /projects/{id}/packages/{package_id}/package_files/{package_file_id}': [
    'deletePackageFile',
    'Delete a file of a package',
  ],
  'GET /projects/{id}/packages/{package_id}/pipelines': [
    'listPackagePipelines',
    'List the pipelines that published a package',
  ],
  'GET /projects/{id}/packages/generic/{package_name}/{package_version}/{file_name}': [
    'downloadGenericPackageFile',
    'Download a file of a generic package',
  ],
  'PUT /projects/{id}/packages/generic/{package_name}/{package_version}/{file_name}': [
    'publishGenericPackageFile',
    'Publish a file of a generic package',
  ],
  'GET /projects/{id}/repository/archive': [
    'downloadRepositoryArchive',
    'Download an archive of the repository of a project',
  ],
  'GET /projects/{id}/repository/archive.{format}': [
    'downloadRepositoryArchiveAs',
    'Download an archive of the repository of a project in a given format',
  ],
  'GET /projects/{id}/repository/blobs/{sha}': [
    'getProjectBlob',
    'Get a blob of the repository of a project',
  ],
  'GET /projects/{id}/repository/blobs/{sha}/raw': [
    'downloadProjectBlob',
    'Download the content of a blob of a project',
  ],
  'HEAD /projects/{id}/repository/branches/{branch}': [
    'checkProjectBranch',
    'Check whether a project has a branch',
  ],
  'POST /projects/{id}/repository/commits/{sha}/cherry_pick': [
    'cherryPickCommit',
    'Cherry-pick a commit onto a branch',
  ],
  'GET /projects/{id}/repository/commits/{sha}/merge_requests': [
    'listCommitMergeRequests',
    'List the merge requests that introduced a commit',
  ],
  'GET /projects/{id}/repository/commits/{sha}/refs': [
    'listCommitRefs',
    'List the branches and tags that contain a commit',
  ],
  'POST /projects/{id}/repository/commits/{sha}/revert': ['revertCommit', 'Revert a commit on a branch'],
  'GET /projects/{id}/repository/commits/{sha}/sequence': [
    'getCommitSequence',
    'Count the commits up to a commit',
  ],
  'GET /projects/{id}/repository/commits/{sha}/diff': ['getCommitDiff', 'Get the diffs of a commit'],
  'GET /projects/{id}/repository/compare': [
    'compareRefs',
    'Compare two branches, tags or commits of a project',
  ],
  'GET /projects/{id}/repository/contributors': [
    'listProjectContributors',
    'List the contributors to the repository of a project',
  ],
  'DELETE /projects/{id}/repository/files/{file_path}': [
    'deleteRepositoryFile',
    'Delete a file from the repository of a project',
  ],
  'GET /projects/{id}/repository/files/{file_path}': [
    'getRepositoryFile',
    'Get a file of the repository of a project',
  ],
  'POST /projects/{id}/repository/files/{file_path}': [
    'createRepositoryFile',
    'Create a file in the repository of a project',
  ],
  'PUT /projects/{id}/repository/files/{file_path}': [
    'updateRepositoryFile',
    'Update a file in the repository of a project',
  ],
  'GET /projects/{id}/repository/files/{file_path}/blame': [
    'getRepositoryFileBlame',
    'Get who last changed each line of a file',
  ],
  'GET /projects/{id}/repository/files/{file_path}/raw': [
    'downloadRepositoryFile',
    'Download a file of the repository of a project',
  ],
  'GET /projects/{id}/repository/merge_base': [
    'getMergeBase',
    'Get the commit from which branches of a project part',
  ],
  'DELETE /projects/{id}/repository/merged_branches': [
    'deleteMergedBranches',
    'Delete the branches of a project that are merged',
  ],
  'GET /projects/{id}/repository/tree': ['listRepositoryTree', 'List the files and folders of a repository'],
  'GET /projects/{id}/snippets/{snippet_id}/files/{ref}/{file_path}/raw': [
    'downloadProjectSnippetFile',
    'Download a file of a snippet of a project',
  ],
  'GET /projects/{id}/snippets/{snippet_id}/raw': [
    'downloadProjectSnippet',
    'Download the content of a snippet of a project',
  ],
  'GET /projects/{id}/snippets/{snippet_id}/user_agent_detail': [
    'getProjectSnippetUserAgent',
    'Get the user agent by which a snippet of a project was created',
  ],
  'POST /projects/{id}/statuses/{sha}': ['setCommitStatus', 'Set the status of a commit'],
  'POST /projects/{id}/merge_requests/{merge_request_iid}/time_estimate': [
    'setMergeRequestTimeEstimate',
    'Set the time estimate of a merge request',
  ],
};
