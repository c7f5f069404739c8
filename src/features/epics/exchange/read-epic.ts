import {
  readIssuable,
  type ImportedIssuable,
  type IssuableColumns,
} from '#core/issuables/exchange/read-issuable.js';
import { isConfidential } from '#core/notes/exchange/read-notes.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import { dateIn, flagIn, type SourceRecord } from '#core/exchange/source-record.js';

/** Columns of an epic, as in the statement that writes them. */
export interface ImportedColumns extends IssuableColumns {
  readonly confidential: boolean;
  readonly start_date_fixed: string | null;
  readonly start_date_is_fixed: boolean;
  readonly due_date_fixed: string | null;
  readonly due_date_is_fixed: boolean;
}

/** A validated epic. */
export interface ImportedEpic extends ImportedIssuable {
  readonly columns: ImportedColumns;
}

/** Parses an epic. @throws RecordRefused */
export function readEpic(record: SourceRecord, target: ImportTarget): ImportedEpic {
  const epic = readIssuable(record, target, 'epic');
  const confidential = isConfidential(record['confidential']);
  return { ...epic, columns: { ...epic.columns, confidential, ...datesIn(record) } };
}

function datesIn(record: SourceRecord): Omit<ImportedColumns, keyof IssuableColumns | 'confidential'> {
  const start = dateIn(record, 'start_date_fixed') ?? dateIn(record, 'start_date');
  const due = dateIn(record, 'due_date_fixed') ?? dateIn(record, 'due_date') ?? dateIn(record, 'end_date');
  const startIsFixed = flagIn(record, 'start_date_is_fixed', start !== null);
  const dueIsFixed = flagIn(record, 'due_date_is_fixed', due !== null);
  if (startIsFixed && dueIsFixed && start !== null && due !== null && due < start)
    throw new RecordRefused('due_date_fixed must be greater than or equal to start date');
  return {
    start_date_fixed: start,
    start_date_is_fixed: startIsFixed,
    due_date_fixed: due,
    due_date_is_fixed: dueIsFixed,
  };
}
