/** Relations with content in the filled group. */
export const WRITING = [
  ...['group', 'group_attributes', 'labels', 'milestones', 'epics', 'project_entities', 'subgroups'].map(
    (relation) => `group_entity ${relation}`,
  ),
  ...['project', 'repository', 'project_attributes', 'labels', 'milestones', 'protected_branches'].map(
    (relation) => `project_entity ${relation}`,
  ),
  ...['environments', 'issues', 'snippets', 'ci_pipelines', 'freeze_periods', 'merge_requests'].map(
    (relation) => `project_entity ${relation}`,
  ),
  ...['deployments', 'wiki'].map((relation) => `project_entity ${relation}`),
];

/** These relations, and others that end without writing anything. */
export const ENDING = [
  ...WRITING,
  'group_entity avatar',
  'group_entity members',
  'group_entity wiki',
  'project_entity avatar',
  'project_entity members',
  'project_entity archived',
];
