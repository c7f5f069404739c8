/**
 * Events that a `custom` level switches, in display order; `new_epic` belongs to the top tier, and not to
 * projects.
 */
export const MAIL_EVENTS = [
  'new_epic',
  'new_release',
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'change_reviewer_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'merge_when_pipeline_succeeds',
] as const;

/** Name of an event. */
export type MailEvent = (typeof MAIL_EVENTS)[number];

/** Switches that a user has set; others have defaults. */
export type EventSwitches = Readonly<Partial<Record<MailEvent, boolean>>>;

const ON_BY_DEFAULT: ReadonlySet<string> = new Set<MailEvent>([
  'failed_pipeline',
  'fixed_pipeline',
  'moved_project',
]);

/** Returns whether the event is on; false for events without a switch. */
export const isOn = (switches: EventSwitches, event: string): boolean =>
  (switches as Readonly<Record<string, boolean | undefined>>)[event] ?? ON_BY_DEFAULT.has(event);
