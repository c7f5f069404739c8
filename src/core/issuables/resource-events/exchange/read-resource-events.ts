import { labelOrNull, type ImportedLabel } from '#core/labels/exchange/read-label.js';
import { readNestedMilestone, type ImportedMilestone } from '#core/milestones/exchange/read-milestone.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsOf } from '#core/exchange/source-ids.js';
import {
  integerIn,
  recordIn,
  recordsIn,
  textIn,
  timeIn,
  wordIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';

/** User and time of an event. */
interface Done {
  /** Null if the user is unknown here. */
  readonly userId: number | null;
  /** Null for the present time. */
  readonly createdAt: string | null;
}

/** Imported events of one issuable. */
export interface ImportedResourceEvents {
  readonly labelEvents: readonly (Done & { readonly action: string; readonly label: ImportedLabel | null })[];
  readonly milestoneEvents: readonly (Done & {
    readonly action: string;
    readonly state: string;
    readonly milestone: ImportedMilestone | null;
  })[];
  readonly stateEvents: readonly (Done & { readonly state: string; readonly commit: string | null })[];
}

const LISTS = ['resource_label_events', 'resource_milestone_events', 'resource_state_events'] as const;
const ACTIONS = ['add', 'remove'] as const;
const STATES = ['opened', 'closed', 'locked', 'merged'] as const;
const CHANGES = ['closed', 'reopened', 'merged', 'opened', 'locked'] as const;
const MAX_SHA = 64;

/** Returns the ids of users in the events of a record. */
export const resourceEventUserIds = (record: SourceRecord): number[] =>
  LISTS.flatMap((list) => userIdsOf(record, list, 'user_id'));

/** Parses the events of an issuable; skips unknown actions and states. @throws RecordRefused */
export function readResourceEvents(record: SourceRecord, target: ImportTarget): ImportedResourceEvents {
  const [labels, milestones, states] = LISTS.map((list) => recordsIn(record, list));
  const done = (entry: SourceRecord): Done => ({
    userId: target.userOf(integerIn(entry, 'user_id', 1)),
    createdAt: timeIn(entry, 'created_at'),
  });
  const having = (
    entries: readonly SourceRecord[] | undefined,
    name: string,
    words: readonly string[],
  ): readonly SourceRecord[] => (entries ?? []).filter((entry) => words.includes(entry[name] as string));
  return {
    labelEvents: having(labels, 'action', ACTIONS).map((entry) => {
      const label = recordIn(entry, 'label');
      return {
        ...done(entry),
        action: wordIn(entry, 'action', ACTIONS, 'add'),
        label: label && labelOrNull(label, target),
      };
    }),
    milestoneEvents: having(milestones, 'action', ACTIONS).map((entry) => ({
      ...done(entry),
      action: wordIn(entry, 'action', ACTIONS, 'add'),
      state: wordIn(entry, 'state', STATES, 'opened'),
      milestone: readNestedMilestone(entry, target),
    })),
    stateEvents: having(states, 'state', CHANGES).map((entry) => ({
      ...done(entry),
      state: wordIn(entry, 'state', CHANGES, 'closed'),
      commit: textIn(entry, 'source_commit', MAX_SHA),
    })),
  };
}

/** Returns the labels in events. */
export const labelsOfEvents = (issuables: readonly ImportedResourceEvents[]): ImportedLabel[] =>
  issuables.flatMap(({ labelEvents }) => labelEvents.flatMap(({ label }) => label ?? []));

/** Returns the milestones in events. */
export const milestonesOfEvents = (issuables: readonly ImportedResourceEvents[]): ImportedMilestone[] =>
  issuables.flatMap(({ milestoneEvents }) => milestoneEvents.flatMap(({ milestone }) => milestone ?? []));
