import type { ActivityAction } from '#core/activity/activity-happened.event.js';

/** Subjects of events, with their stored numbers; `note` subjects are the noteables of notes. */
export const SUBJECTS = {
  project: 0,
  push: 1,
  issue: 2,
  mergeRequest: 3,
  milestone: 4,
  wikiPage: 5,
  issueNote: 6,
  mergeRequestNote: 7,
  snippetNote: 8,
  commitNote: 9,
  epic: 10,
  epicNote: 11,
} as const;

/** Subject of an event. */
export type Subject = keyof typeof SUBJECTS;

/** Recorded actions, with their stored numbers (`planning.md` 1.2). */
export const ACTIONS = {
  created: 1,
  updated: 2,
  closed: 3,
  reopened: 4,
  pushed: 5,
  commented: 6,
  merged: 7,
  joined: 8,
  left: 9,
  destroyed: 10,
  expired: 11,
  approved: 12,
} as const satisfies Partial<Record<ActivityAction, number>>;

/** Action of an event. */
export type EventAction = keyof typeof ACTIONS;

/** Values of the filter `action`. */
export const ACTION_NAMES = Object.keys(ACTIONS) as EventAction[];

const WIDTH = 16;

/** Returns the stored number of an event: its subject and action. */
export const kindOf = (subject: Subject, action: EventAction): number =>
  SUBJECTS[subject] * WIDTH + ACTIONS[action];

/** Returns the number of the subject. */
export const subjectNumber = (kind: number): number => Math.floor(kind / WIDTH);

/** Returns the number of the action. */
export const actionNumber = (kind: number): number => kind % WIDTH;

const NOTES: readonly EventAction[] = ['commented'];

/** Kinds that lists can contain; epics belong to groups, which have no list. */
const LISTED: Readonly<Partial<Record<Subject, readonly EventAction[]>>> = {
  project: ['created', 'joined', 'left', 'expired'],
  push: ['pushed'],
  issue: ['created', 'closed', 'reopened'],
  mergeRequest: ['created', 'closed', 'reopened', 'merged', 'approved'],
  milestone: ['created', 'closed', 'reopened', 'destroyed'],
  wikiPage: ['created', 'updated', 'destroyed'],
  issueNote: NOTES,
  mergeRequestNote: NOTES,
  snippetNote: NOTES,
  commitNote: NOTES,
};

const NOTE_SUBJECTS: readonly Subject[] = ['issueNote', 'mergeRequestNote', 'snippetNote', 'commitNote'];

/** Values of the filter `target_type` with their subjects; some never match. */
const TARGET_TYPES: Readonly<Record<string, readonly Subject[]>> = {
  issue: ['issue'],
  milestone: ['milestone'],
  merge_request: ['mergeRequest'],
  note: NOTE_SUBJECTS,
  project: ['project'],
  snippet: [],
  user: [],
  wiki: ['wikiPage'],
  design: [],
};

/** Values of the filter `target_type`. */
export const TARGET_TYPE_NAMES = Object.keys(TARGET_TYPES);

/** Returns the kinds that match both filters; `target_type=project` matches only the creation of projects. */
export function kindsOf(action: EventAction | undefined, targetType: string | undefined): number[] {
  const subjects = targetType === undefined ? (Object.keys(LISTED) as Subject[]) : TARGET_TYPES[targetType];
  const kinds = (subjects ?? []).flatMap((subject) =>
    (LISTED[subject] ?? []).map((one) => [subject, one] as const),
  );
  return kinds
    .filter(([, one]) => action === undefined || one === action)
    .filter(([subject, one]) => targetType === undefined || subject !== 'project' || one === 'created')
    .map(([subject, one]) => kindOf(subject, one));
}
