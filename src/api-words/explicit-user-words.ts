import type { ExplicitWords } from './explicit-words.js';

/** Names of operations on snippets and users whose path does not reveal what they do. */
export const USER_WORDS: ExplicitWords = {
  'GET /projects': ['listProjects', 'List the projects that the caller can see'],
  'GET /groups': ['listGroups', 'List the groups that the caller can see'],
  'GET /snippets': ['listOwnSnippets', "List the caller's own snippets"],
  'GET /snippets/{snippet_id}/files/{ref}/{file_path}/raw': [
    'downloadSnippetFile',
    'Download a file of a personal snippet',
  ],
  'GET /snippets/{snippet_id}/raw': ['downloadSnippet', 'Download the content of a personal snippet'],
  'GET /snippets/{snippet_id}/user_agent_detail': [
    'getSnippetUserAgent',
    'Get the user agent by which a personal snippet was created',
  ],
  'GET /snippets/{snippet_id}': ['getSnippet', 'Get a personal snippet'],
  'POST /snippets': ['createSnippet', 'Create a personal snippet'],
  'PUT /snippets/{snippet_id}': ['updateSnippet', 'Update a personal snippet'],
  'DELETE /snippets/{snippet_id}': ['deleteSnippet', 'Delete a personal snippet'],
  'GET /snippets/all': ['listSnippets', 'List all snippets that the caller can see'],
  'GET /snippets/public': ['listPublicSnippets', 'List the public snippets'],
  'GET /user': ['getCurrentUser', 'Get the current user'],
  'GET /user_counts': ['getCurrentUserCounts', 'Count the work that waits for the caller'],
  'PUT /user/avatar': ['setCurrentUserAvatar', "Set the caller's avatar"],
  'GET /user/emails': ['listOwnEmails', "List the caller's email addresses"],
  'POST /user/emails': ['addOwnEmail', 'Add an email address to the caller'],
  'DELETE /user/emails/{email_id}': ['deleteOwnEmail', 'Delete an email address of the caller'],
  'GET /user/emails/{email_id}': ['getOwnEmail', 'Get an email address of the caller'],
  'GET /user/keys': ['listOwnSshKeys', "List the caller's SSH keys"],
  'POST /user/keys': ['addOwnSshKey', 'Add an SSH key to the caller'],
  'DELETE /user/keys/{key_id}': ['deleteOwnSshKey', 'Delete an SSH key of the caller'],
  'GET /user/keys/{key_id}': ['getOwnSshKey', 'Get an SSH key of the caller'],
  'POST /user/runners': ['createRunner', 'Create a runner of the instance, a group or a project'],
  'GET /user/status': ['getOwnStatus', "Get the caller's status"],
  'PUT /user/status': ['setOwnStatus', "Set the caller's status"],
  'PATCH /users/{id}/disable_two_factor': [
    'disableUserTwoFactor',
    'Disable two-factor authentication of a user',
  ],
  'POST /users/{id}/approve': ['approveUser', 'Approve a user who waits for approval'],
  'POST /users/{id}/reject': ['rejectUser', 'Reject a user who waits for approval'],
  'GET /users/{id}/following': ['listUserFollowing', 'List the users whom a user follows'],
  'GET /users/{id}/starred_projects': ['listUserStarredProjects', 'List the projects that a user starred'],
  'DELETE /users/{user_id}/impersonation_tokens/{impersonation_token_id}': [
    'revokeUserImpersonationToken',
    'Revoke an impersonation token of a user',
  ],
  'DELETE /groups/{id}/access_tokens/{token_id}': [
    'revokeGroupAccessToken',
    'Revoke an access token of a group',
  ],
  'DELETE /projects/{id}/access_tokens/{token_id}': [
    'revokeProjectAccessToken',
    'Revoke an access token of a project',
  ],
  'GET /version': ['getVersion', 'Get the version of the instance'],
};
