import { Flag } from '#kernel/http/fields/scalar-fields.js';

/** Events of projects that a `custom` level switches. */
export class ProjectMailEvents {
  @Flag({ description: 'Also shown and taken where no releases exist' })
  new_release!: boolean;

  @Flag()
  new_note!: boolean;

  @Flag()
  new_issue!: boolean;

  @Flag()
  reopen_issue!: boolean;

  @Flag()
  close_issue!: boolean;

  @Flag()
  reassign_issue!: boolean;

  @Flag({ description: 'The day before an open issue is due' })
  issue_due!: boolean;

  @Flag()
  new_merge_request!: boolean;

  @Flag()
  push_to_merge_request!: boolean;

  @Flag()
  reopen_merge_request!: boolean;

  @Flag()
  close_merge_request!: boolean;

  @Flag()
  reassign_merge_request!: boolean;

  @Flag()
  change_reviewer_merge_request!: boolean;

  @Flag()
  merge_merge_request!: boolean;

  @Flag({ description: 'A pipeline of the user has failed; on unless switched off' })
  failed_pipeline!: boolean;

  @Flag({ description: 'A pipeline of the user has succeeded after a failed one; on unless switched off' })
  fixed_pipeline!: boolean;

  @Flag()
  success_pipeline!: boolean;

  @Flag()
  moved_project!: boolean;

  @Flag()
  merge_when_pipeline_succeeds!: boolean;
}

/** Events of groups and of the global setting. */
export class GroupMailEvents extends ProjectMailEvents {
  @Flag({ optional: true, description: 'Only on the ultimate plan' })
  new_epic?: boolean;
}
