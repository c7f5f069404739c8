import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import {
  dateIn,
  integerIn,
  MAX_IID,
  neededTextIn,
  recordIn,
  proseIn,
  timeIn,
  wordIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { MAX_DESCRIPTION } from '../milestone-rules.js';
import type { MilestoneState } from '../milestone.entity.js';

/** A milestone with its identity at the source, and what is needed to create it. */
export interface ImportedMilestone {
  /** Null if the source has none that can be kept. */
  readonly iid: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly state: MilestoneState;
  readonly startDate: string | null;
  readonly dueDate: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

const MAX_TITLE = 255;

/** Parses a milestone. @throws RecordRefused */
export function readMilestone(record: SourceRecord, target: ImportTarget): ImportedMilestone {
  const startDate = dateIn(record, 'start_date');
  const dueDate = dateIn(record, 'due_date');
  if (startDate !== null && dueDate !== null && dueDate < startDate)
    throw new RecordRefused('due_date must be greater than start date');
  return {
    iid: integerIn(record, 'iid', 1, MAX_IID),
    title: neededTextIn(record, 'title', MAX_TITLE).trim(),
    description: target.text(proseIn(record, 'description', MAX_DESCRIPTION)),
    state: wordIn(record, 'state', ['active', 'closed'], 'active'),
    startDate,
    dueDate,
    createdAt: timeIn(record, 'created_at'),
    updatedAt: timeIn(record, 'updated_at'),
  };
}

/** Parses `milestone` of a record; null if there is none, or it is invalid here. */
export function readNestedMilestone(record: SourceRecord, target: ImportTarget): ImportedMilestone | null {
  const milestone = recordIn(record, 'milestone');
  if (!milestone) return null;
  try {
    // For a group's milestone the number belongs to another sequence.
    return { ...readMilestone(milestone, target), iid: null };
  } catch (error) {
    if (error instanceof RecordRefused) return null;
    throw error;
  }
}
