import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import {
  neededTextIn,
  recordIn,
  recordsIn,
  proseIn,
  timeIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { colorOf, DEFAULT_COLOR } from '../label-colors.js';
import { MAX_TITLE } from '../links/label-names.service.js';

/** A label with its identity at the source, and what is needed to create it. */
export interface ImportedLabel {
  readonly title: string;
  readonly color: string;
  readonly description: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

const MAX_DESCRIPTION = 1_048_576;
const MAX_LABELS = 1_000;
/** Longer than any color name. */
const MAX_COLOR = 40;

/** Parses a label. @throws RecordRefused */
export function readLabel(record: SourceRecord, target: ImportTarget): ImportedLabel {
  const title = neededTextIn(record, 'title', MAX_TITLE).trim();
  // Lists of labels are comma-separated.
  if (title.includes(',')) throw new RecordRefused('title is invalid');
  const color = record['color'];
  return {
    title,
    color: (typeof color === 'string' && color.length <= MAX_COLOR ? colorOf(color) : null) ?? DEFAULT_COLOR,
    description: target.text(proseIn(record, 'description', MAX_DESCRIPTION)),
    createdAt: timeIn(record, 'created_at'),
    updatedAt: timeIn(record, 'updated_at'),
  };
}

/**
 * Parses the labels in `label_links` of a record (or in `labels`, for some sources), without duplicates;
 * skips invalid ones. @throws RecordRefused if there are too many
 */
export function readLabelLinks(record: SourceRecord, target: ImportTarget): ImportedLabel[] {
  const links = recordsIn(record, 'label_links', MAX_LABELS).map((link) => recordIn(link, 'label'));
  const labels = new Map<string, ImportedLabel>();
  for (const label of [...links, ...recordsIn(record, 'labels', MAX_LABELS)]) {
    const read = label && labelOrNull(label, target);
    if (read && !labels.has(read.title)) labels.set(read.title, read);
  }
  return [...labels.values()];
}

/** Does the same as `readLabel`; null if the label is invalid here. */
export function labelOrNull(record: SourceRecord, target: ImportTarget): ImportedLabel | null {
  try {
    return readLabel(record, target);
  } catch (error) {
    if (error instanceof RecordRefused) return null;
    throw error;
  }
}
