import { MAIL_WORDS } from './mail-words.js';
import { PROJECT_WORDS } from './project-words.js';
import { SETTING_WORDS } from './setting-words.js';
import { SPECIAL_WORDS } from './special-words.js';

/** Descriptions of fields that have none, wherever they are sent. */
const COMMON_WORDS: Readonly<Record<string, string>> = {
  access_level: 'Role, by its number: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner',
  action: 'Action on the file',
  actions: 'Changes of files in the commit, in order',
  add_labels: 'Labels to add to the existing ones',
  admin: 'Whether the user is an administrator',
  allow_force_push: 'Whether force pushes are allowed',
  approval_rules: 'Who must approve deployments, and how many',
  approvals_required: 'How many must approve',
  base_sha: 'Id of the merge base of both sides',
  bio: 'A few words about the user',
  body: 'Text, in Markdown',
  clear_status_after: 'When the status is cleared automatically',
  commit_email: 'Address in commits that are made here',
  commit_message: 'Message of the commit',
  confidential: 'Whether only its author and members with at least the Reporter role can see it',
  configuration: 'The instance to read from, and a token for it',
  content: 'Content, as text unless the encoding says otherwise',
  deploy_access_levels: 'Who may deploy',
  description: 'Description, in Markdown where it is shown',
  developers_can_merge: 'Whether developers may merge into it',
  developers_can_push: 'Whether developers may push to it',
  disable_overriding_approvers_per_merge_request: 'Whether merge requests keep the rules of the project',
  discord: 'Name on Discord',
  discussion_locked: 'Whether only members may comment',
  due_date: 'Last day, YYYY-MM-DD',
  due_date_fixed: 'Fixed last day, YYYY-MM-DD',
  email: 'Email address',
  encoding: 'Whether content is text or Base64',
  entities: 'Groups and projects to copy, and where to',
  environment_scope:
    'Environments for whose jobs it is: a name, or a pattern such as `review/*`; `*` for all unless given',
  expires_at: 'Day on which it expires, YYYY-MM-DD',
  extern_uid: 'Id of the user with the identity provider',
  external: 'Whether the user sees only what they are a member of',
  external_url: 'Address at which it is used',
  failure_reason: 'Why the job failed',
  file_path: 'Path of the file in the repository',
  format: 'Markup of the page',
  group_access: 'Highest role that members of the other group get, by its number',
  group_id: 'Id of the group',
  group_ids: 'Ids of groups whose members may approve',
  head_sha: 'Id of the newest commit of the changes',
  height: 'Of an image: its height in pixels',
  include_jobs: 'Whether to list the jobs that a pipeline would have',
  info: 'Information about the runner',
  issue_type: 'Type of the issue',
  job_title: 'Job title of the user',
  key: 'Name: letters, digits and underscores',
  linkedin: 'Name on LinkedIn',
  location: 'Where the user lives',
  maintainer_note: 'Old name of maintenance_note',
  merge_requests_author_approval: 'Whether authors may approve their own merge requests',
  merge_requests_disable_committers_approval: 'Whether users who added commits may not approve',
  name: 'Display name',
  namespace_id: 'Id of the namespace of the fork',
  namespace_path: 'Path of the namespace of the fork',
  new_line: 'Number of the line after the change; null for a line that is gone',
  new_name: 'New name',
  new_path: 'Path of the file after the change',
  old_line: 'Number of the line before the change; null for a new line',
  old_path: 'Path of the file before the change',
  organization: 'Employer of the user',
  output: 'Length and checksum of the log',
  parent_id: 'Id of the group above',
  password: 'Password, of at least 8 characters',
  path: 'Last part of the address',
  paused: 'Whether the runner is paused',
  position_type: 'Whether the discussion is about text, an image or a whole file',
  pronouns: 'Pronouns of the user',
  protected: 'Only for jobs of protected branches and tags',
  provider: 'Name of the identity provider',
  public_email: 'Publicly visible address; empty for none',
  raw: 'Whether the value is used literally, without expanding variables in it',
  refresh_grace_period_seconds: 'Seconds for which a used refresh token is still accepted',
  remove_labels: 'Labels to remove',
  require_password_to_approve: 'Whether approving needs the password',
  reset_approvals_on_push: 'Whether a push revokes all approvals',
  resolved: 'Whether the discussion is resolved',
  rule_type: 'Whether named users approve or anyone who may',
  run_untagged: 'Whether the runner runs jobs without tags',
  scopes: 'Scopes of the token',
  selective_code_owner_removals: 'Whether a push revokes only approvals by owners of changed files',
  should_remove_source_branch: 'Whether merging deletes the source branch',
  skype: 'Name on Skype',
  slug: 'Name in addresses',
  source_branch: 'Name of the branch to merge',
  source_storage_name: 'Storage to move everything away from',
  squash: 'Whether the commits become one on merge',
  start_date: 'First day, YYYY-MM-DD',
  start_date_fixed: 'Fixed first day, YYYY-MM-DD',
  start_sha: 'Id of the commit of the target branch that the changes are compared with',
  state_event: 'Whether to close it or open it again',
  system_id: 'Name of the machine that it runs on',
  tag_list: 'Tags of jobs that the runner takes',
  target_branch: 'Name of the branch to merge into',
  target_project_id: 'Id of the other project',
  tier: 'Purpose of the environment',
  title: 'Title',
  to_project_id: 'Id of the project to go to',
  token: 'Token of the runner',
  trusted: 'Whether users are not asked for consent',
  twitter: 'Name on Twitter',
  url_text: 'Text of the link',
  user_ids: 'Ids of users who may approve',
  username: 'User name, unique within the instance',
  value: 'Value of the variable',
  variable_type: 'Whether jobs get the value itself or the path of a file with it',
  variables: 'Variables for the jobs of the pipeline',
  visibility: 'Who can see it: its members, all signed-in users (`internal`), or everyone',
  website_url: 'Address of a page of the user',
  width: 'Of an image: its width in pixels',
  x: 'Of an image: distance of the point from the left, in pixels',
  y: 'Of an image: distance of the point from the top, in pixels',
};

const WORDS: Readonly<Record<string, string>> = {
  ...COMMON_WORDS,
  ...PROJECT_WORDS,
  ...SETTING_WORDS,
  ...MAIL_WORDS,
  ...SPECIAL_WORDS,
};

/**
 * Returns the suffixes of a schema name: `createProjectAccessToken` gives `ProjectAccessToken`, `AccessToken`
 * and `Token`.
 */
function endsOf(schema: string): string[] {
  const words = schema.replace(/Request$/, '').match(/[A-Z]+[a-z0-9]*/g) ?? [];
  return words.map((_word, at) => words.slice(at).join(''));
}

/**
 * Returns the description of a field of a body, or of a part of one: by the name of its schema if it is
 * specific to that.
 */
export const bodyWordsOf = (schema: string, field: string): string | undefined =>
  endsOf(schema)
    .map((end) => WORDS[`${end}.${field}`])
    .find((words) => words !== undefined) ?? WORDS[field];
