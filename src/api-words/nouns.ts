/**
 * What a collection in a path contains: singular, plural, and the preposition before its owner if it is not
 * "of".
 */
export interface Noun {
  readonly one: string;
  readonly many: string;
  readonly to: string;
}

const noun = (one: string, many = `${one}s`, to = 'of'): Noun => ({ one, many, to });

/** Segments whose noun differs from the segment. */
const NOUNS: Readonly<Record<string, Noun>> = {
  alert_management_alerts: noun('alert'),
  applications: noun('OAuth application'),
  award_emoji: noun('emoji reaction', undefined, 'to'),
  branches: noun('branch', 'branches'),
  bridges: noun('bridge job'),
  bulk_imports: noun('migration'),
  closes_issues: noun('issue to close', 'issues to close'),
  comments: noun('comment', undefined, 'on'),
  discussions: noun('discussion', undefined, 'on'),
  emails: noun('email address', 'email addresses'),
  entities: noun('entity', 'entities'),
  features: noun('feature flag'),
  geo_nodes: noun('site'),
  geo_sites: noun('site'),
  integrations: noun('alert integration'),
  keys: noun('SSH key'),
  managers: noun('machine'),
  merge_requests: noun('merge request'),
  notes: noun('note', undefined, 'on'),
  protected_branches: noun('protected branch', 'protected branches'),
  resource_label_events: noun('label event'),
  resource_milestone_events: noun('milestone event'),
  resource_state_events: noun('state event'),
  statuses: noun('status', 'statuses'),
  variables: noun('CI/CD variable'),
  versions: noun('diff version'),
  wikis: noun('wiki page'),
};

/** Returns the noun of a collection. */
export function nounOf(segment: string): Noun {
  const many = segment.replaceAll(/[_-]/g, ' ');
  return NOUNS[segment] ?? noun(many.replace(/s$/, ''), many);
}

/** Objects of which an owner has only one, with the noun if it differs from the segment. */
const SINGLE_OBJECTS: Readonly<Record<string, string>> = {
  approvals: 'approvals',
  avatar: 'avatar',
  notification_settings: 'notification settings',
  statistics: 'statistics',
  settings: 'settings',
  progress: 'progress',
  time_stats: 'time tracking totals',
  issues_statistics: 'counts of issues',
  test_report: 'test report',
  test_report_summary: 'summary of the test report',
  languages: 'programming languages',
  merge_ref: 'merge ref',
  user_agent_detail: 'user agent',
  approval_state: 'state of approval',
  raw_diffs: 'raw diff',
  status: 'status',
  plan_limits: 'plan limits',
  job_token_scope: 'job token scope',
  trace: 'log',
  blame: 'blame',
  diff: 'diff',
};

/** Returns the noun of the single object that a segment names, if it names one. */
export const singleObjectOf = (segment: string): string | undefined => SINGLE_OBJECTS[segment];

/** Actions of paths that end in a verb: the words around their object. */
const ACTIONS: Readonly<Record<string, readonly [string, string?]>> = {
  activate: ['Activate'],
  add_spent_time: ['Add to the time spent on'],
  approve: ['Approve'],
  archive: ['Archive'],
  ban: ['Ban'],
  block: ['Block'],
  cancel: ['Cancel'],
  cherry_pick: ['Cherry-pick'],
  clone: ['Clone'],
  deactivate: ['Deactivate'],
  erase: ['Erase'],
  follow: ['Follow'],
  fork: ['Fork'],
  merge: ['Merge'],
  move: ['Move', 'to another project'],
  play: ['Start'],
  promote: ['Promote', 'to the group'],
  protect: ['Protect'],
  rebase: ['Rebase'],
  reject: ['Reject'],
  reorder: ['Reorder'],
  replay: ['Replay'],
  reset_authentication_token: ['Reset the authentication token of'],
  reset_registration_token: ['Reset the registration token of'],
  reset_spent_time: ['Reset the time spent on'],
  reset_time_estimate: ['Reset the time estimate of'],
  reset_token: ['Reset the token of'],
  restore: ['Restore', 'that is marked for deletion'],
  resume: ['Resume'],
  retry: ['Retry'],
  revert: ['Revert'],
  rotate: ['Rotate'],
  share: ['Share', 'with a group'],
  star: ['Star'],
  stop: ['Stop'],
  subscribe: ['Subscribe to'],
  time_estimate: ['Set the time estimate of'],
  transfer: ['Transfer', 'to another namespace'],
  unapprove: ['Withdraw the approval of'],
  unarchive: ['Unarchive'],
  unban: ['Unban'],
  unblock: ['Unblock'],
  unfollow: ['Unfollow'],
  unprotect: ['Unprotect'],
  unstar: ['Unstar'],
  unsubscribe: ['Unsubscribe from'],
};

/** Returns the action of a path that ends in a segment, as words around its object. */
export const actionOf = (segment: string): readonly [string, string?] | undefined => ACTIONS[segment];

/** Collections to which existing objects are added; in others they are created. */
export const ADDED: ReadonlySet<string> = new Set(['award_emoji', 'emails', 'keys', 'members']);

/** Nouns that need no owner to be distinguished from others of the same name. */
export const CLEAR: ReadonlySet<string> = new Set([
  'alert',
  'branch',
  'commit',
  'deployment',
  'environment',
  'epic',
  'error',
  'group',
  'issue',
  'job',
  'merge request',
  'migration',
  'package',
  'pipeline',
  'project',
  'runner',
  'snippet',
  'user',
]);
