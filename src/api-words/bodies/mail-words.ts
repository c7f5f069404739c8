/** Events for which the caller may be emailed at the level `custom`. */
const EVENTS: Readonly<Record<string, string>> = {
  change_reviewer_merge_request: 'other reviewers of merge requests',
  close_issue: 'closed issues',
  close_merge_request: 'closed merge requests',
  failed_pipeline: 'failed pipelines',
  fixed_pipeline: 'pipelines that succeed again',
  issue_due: 'issues that are due tomorrow',
  merge_merge_request: 'merged merge requests',
  merge_when_pipeline_succeeds: 'merge requests that will be merged when their pipeline succeeds',
  moved_project: 'projects that move to another namespace',
  new_epic: 'new epics',
  new_issue: 'new issues',
  new_merge_request: 'new merge requests',
  new_note: 'new comments',
  new_release: 'new releases',
  push_to_merge_request: 'pushes to merge requests',
  reassign_issue: 'other assignees of issues',
  reassign_merge_request: 'other assignees of merge requests',
  reopen_issue: 'reopened issues',
  reopen_merge_request: 'reopened merge requests',
  success_pipeline: 'successful pipelines',
};

/** Descriptions of the notification settings. */
export const MAIL_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(EVENTS).map(([name, words]) => [
    `Settings.${name}`,
    `With level \`custom\`: mail about ${words}`,
  ]),
);
