import type { ActivityAction } from '#core/activity/activity-happened.event.js';

/** What activity events are about, with the numbers that they are stored by; `note` subjects are what a note hangs on. */
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

/** Kind of target of an event. */
export type Subject = keyof typeof SUBJECTS;

/** The actions that are recorded, with the numbers that they are stored by (`planning.md` 1.2). */
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

/** The values of the filter `action`. */
export const ACTION_NAMES = Object.keys(ACTIONS) as EventAction[];

const WIDTH = 16;

/** The number that an event is stored by: what it is about and what was done. */
export const kindOf = (subject: Subject, action: EventAction): number =>
  SUBJECTS[subject] * WIDTH + ACTIONS[action];

/** The number of what an event of a kind is about. */
export const subjectNumber = (kind: number): number => Math.floor(kind / WIDTH);

/** The number of what was done in an event of a kind. */
export const actionNumber = (kind: number): number => kind % WIDTH;

const NOTES: readonly EventAction[] = ['commented'];

/** Every kind that a list can show; epics are in groups, which have no list. */
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

/** The values of the filter `target_type` with what they stand for; nothing is told of some. */
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

/** The values of the filter `target_type`. */
export const TARGET_TYPE_NAMES = Object.keys(TARGET_TYPES);

/** The kinds that both filters leave; of the events of projects themselves `target_type=project` finds those of their creation only. */
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
