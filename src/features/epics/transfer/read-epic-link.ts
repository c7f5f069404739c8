import { integerIn, recordIn, textIn, type SourceRecord } from '#core/transfer/source-record.js';

/** The epic of an issue, as the source names it. */
export interface ImportedEpicLink {
  readonly issueId: number;
  readonly issueTitle: string | null;
  /** Of the epic at the source; null where it does not say. */
  readonly sourceId: number | null;
  readonly iid: number | null;
  readonly title: string | null;
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
    sourceId: integerIn(epic, 'id', 1),
    iid: integerIn(epic, 'iid', 1, MAX_INTEGER),
    title: shortIn(epic, 'title')?.trim() ?? null,
    position: integerIn(link, 'relative_position', -MAX_INTEGER, MAX_INTEGER),
  };
}

const shortIn = (record: SourceRecord, name: string): string | null =>
  typeof record[name] === 'string' && record[name].length <= MAX_TITLE
    ? textIn(record, name, MAX_TITLE)
    : null;
