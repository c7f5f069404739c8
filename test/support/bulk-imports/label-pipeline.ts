import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { Portable } from '#core/exchange/relation-export.js';
import type { RelationPipeline } from '#core/exchange/relation-pipeline.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import { integerIn, neededTextIn, textIn, type SourceRecord } from '#core/exchange/source-record.js';

interface LabelRow {
  readonly title: string;
  readonly color: string | null;
  readonly description: string | null;
}

const INSERT = `insert into labels (group_id, title, color, description)
  select $1, title, color, description from json_to_recordset($2) as given(title text, color text, description text) returning id`;

/** The simplest pipeline: labels of a group. A record without color violates a constraint; `refused` is refused. */
export class LabelPipeline implements RelationPipeline<LabelRow> {
  readonly of: Portable = 'group';
  isExtension = false;
  /** Minimum time of a load. */
  pauseMs = 0;

  constructor(
    readonly relation = 'labels',
    readonly stage = 1,
  ) {}

  title = (record: SourceRecord): string | null => textIn(record, 'title', 255);
  key = (record: SourceRecord): string => neededTextIn(record, 'title', 255);

  userIds(record: SourceRecord): readonly number[] {
    return [integerIn(record, 'author_id') ?? 0];
  }

  transform(record: SourceRecord, target: ImportTarget): LabelRow {
    const title = neededTextIn(record, 'title', 255);
    if (title === 'refused') throw new RecordRefused('It is refused');
    const by = target.attribute(integerIn(record, 'author_id'));
    const description = `${by.userId} ${by.standsInFor?.username ?? '-'} ${target.text(textIn(record, 'description', 1_000)) ?? ''}`;
    return { title: `${this.relation} ${title}`, color: textIn(record, 'color', 20), description };
  }

  async load(tx: Tx, target: ImportTarget, rows: readonly LabelRow[]): Promise<readonly number[]> {
    if (this.pauseMs > 0) await sleep(this.pauseMs);
    const found = await tx.query<{ id: number }[]>(INSERT, [target.ownerId, JSON.stringify(rows)]);
    return found.map(({ id }) => id);
  }
}
