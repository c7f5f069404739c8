import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import {
  neededTextIn,
  recordIn,
  recordsIn,
  textIn,
  timeIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { colorOf, DEFAULT_COLOR } from '../label-colors.js';
import { MAX_TITLE } from '../links/label-names.service.js';

/** A label by what names it at the source, with what is needed to make it where it is missing. */
export interface ImportedLabel {
  readonly title: string;
  readonly color: string;
  readonly description: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

const MAX_DESCRIPTION = 1_048_576;
const MAX_LABELS = 1_000;
/** Longer than the name of any colour. */
const MAX_COLOR = 40;

/** A label of the source, as labels are kept here. @throws RecordRefused */
export function readLabel(record: SourceRecord, target: ImportTarget): ImportedLabel {
  const title = neededTextIn(record, 'title', MAX_TITLE).trim();
  // Lists of labels are separated by commas.
  if (title.includes(',')) throw new RecordRefused('title is invalid');
  const color = record['color'];
  return {
    title,
    color: (typeof color === 'string' && color.length <= MAX_COLOR ? colorOf(color) : null) ?? DEFAULT_COLOR,
    description: target.text(textIn(record, 'description', MAX_DESCRIPTION)),
    createdAt: timeIn(record, 'created_at'),
    updatedAt: timeIn(record, 'updated_at'),
  };
}

/** The labels in `label_links` of a record (or, as some sources write them, in `labels`), each once; what cannot be a label here is left out. @throws RecordRefused when there are too many */
export function readLabelLinks(record: SourceRecord, target: ImportTarget): ImportedLabel[] {
  const links = recordsIn(record, 'label_links', MAX_LABELS).map((link) => recordIn(link, 'label'));
  const labels = new Map<string, ImportedLabel>();
  for (const label of [...links, ...recordsIn(record, 'labels', MAX_LABELS)]) {
    const read = label && labelOrNull(label, target);
    if (read && !labels.has(read.title)) labels.set(read.title, read);
  }
  return [...labels.values()];
}

/** The same as `readLabel`; null for what cannot be a label here. */
export function labelOrNull(record: SourceRecord, target: ImportTarget): ImportedLabel | null {
  try {
    return readLabel(record, target);
  } catch (error) {
    if (error instanceof RecordRefused) return null;
    throw error;
  }
}
