import { integerIn, recordIn, textIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { NamedEpic } from '../exchange/find-epics.js';

/** The epic of an issue, as the source names it. */
export interface ImportedEpicLink extends NamedEpic {
  readonly issueId: number;
  readonly issueTitle: string | null;
  /** Null: behind the others. */
  readonly position: number | null;
}

const MAX_INTEGER = 2_147_483_647;
const MAX_TITLE = 255;

/** `epic_issue` of an issue that has been brought over; null where it has none. */
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

/** How an epic is named by what belongs to it. */
const namedEpicIn = (epic: SourceRecord): NamedEpic => ({
  sourceId: integerIn(epic, 'id', 1),
  iid: integerIn(epic, 'iid', 1, MAX_INTEGER),
  title: shortIn(epic, 'title')?.trim() ?? null,
});

/** A parent of an epic that has been brought over. */
export interface ImportedEpicParent extends NamedEpic {
  readonly epicId: number;
  /** Whether it is of the same group, so that it may come later. */
  readonly isNear: boolean;
  /** Null: behind the others. */
  readonly position: number | null;
}

/** `parent` of an epic that has been brought over; null where it stands below none. */
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
