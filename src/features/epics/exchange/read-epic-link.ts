import { integerIn, recordIn, textIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { NamedEpic } from '../exchange/find-epics.js';

/** The epic of an issue as the source refers to it. */
export interface ImportedEpicLink extends NamedEpic {
  readonly issueId: number;
  readonly issueTitle: string | null;
  /** Null: after all others. */
  readonly position: number | null;
}

const MAX_INTEGER = 2_147_483_647;
const MAX_TITLE = 255;

/** Parses `epic_issue` of an imported issue; null if there is none. */
export function readEpicLink(record: SourceRecord, issueId: number): ImportedEpicLink | null {
  const link = recordIn(record, 'epic_issue');
  const epic = link && recordIn(link, 'epic');
  if (!epic) return null;
  return {
    issueId,
    issueTitle: shortIn(record, 'title'),
    ...namedEpicIn(epic),
    position: integerIn(link, 'relative_position', -MAX_INTEGER, MAX_INTEGER),
  };
}

/** Parses a reference to an epic. */
const namedEpicIn = (epic: SourceRecord): NamedEpic => ({
  sourceId: integerIn(epic, 'id', 1),
  iid: integerIn(epic, 'iid', 1, MAX_INTEGER),
  title: shortIn(epic, 'title')?.trim() ?? null,
});

/** The parent of an imported epic. */
export interface ImportedEpicParent extends NamedEpic {
  readonly epicId: number;
  /** Whether it is in the same group, and so may be imported later. */
  readonly isNear: boolean;
  /** Null: after all others. */
  readonly position: number | null;
}

/** Parses `parent` of an imported epic; null if there is none. */
export function readEpicParent(record: SourceRecord, epicId: number): ImportedEpicParent | null {
  const parent = recordIn(record, 'parent');
  if (!parent) return null;
  const groups = [record, parent].map((epic) => integerIn(epic, 'group_id', 1));
  return {
    epicId,
    ...namedEpicIn(parent),
    isNear: groups[0] === groups[1],
    position: integerIn(record, 'relative_position', -MAX_INTEGER, MAX_INTEGER),
  };
}

const shortIn = (record: SourceRecord, name: string): string | null =>
  typeof record[name] === 'string' && record[name].length <= MAX_TITLE
    ? textIn(record, name, MAX_TITLE)
    : null;
