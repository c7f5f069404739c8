import { Injectable } from '@nestjs/common';
import type { JobContext } from '#kernel/queue/job-processor.js';
import type { ExportedRow } from '#core/exchange/relation-export.js';
import type { ExportedRelation } from '../relations/exported-relations.service.js';
import { ExportFilesService, type Pieces } from './export-files.service.js';
import { ExportRunService, type ExportToWrite } from './export-run.service.js';
import { linesOf, RecordWalk } from './record-walk.js';

/** Records per batch (`ops.md` 1.6). */
const BATCH_SIZE = 1_000;

/** Number of records after which a long file records that it is still being written. */
const TOUCH_EVERY = 5_000;

/** Writes the records of a relation: to one file, or to one per thousand. */
@Injectable()
export class WriteRecords {
  constructor(
    private readonly files: ExportFilesService,
    private readonly runs: ExportRunService,
  ) {}

  /** Continues where a previous run stopped. @throws ExportGone */
  async run(
    item: ExportToWrite,
    source: NonNullable<ExportedRelation['records']>,
    context: JobContext,
  ): Promise<void> {
    if (item.batched) await this.batches(item, new RecordWalk(source, item, item.lastId), context);
    else await this.whole(item, new RecordWalk(source, item, 0), context);
  }

  private async whole(item: ExportToWrite, walk: RecordWalk, context: JobContext): Promise<void> {
    const counted = { rows: 0 };
    await this.add(item, walk, context, {
      number: 1,
      counted,
      pieces: this.all(item, walk, counted, context),
    });
  }

  private async batches(item: ExportToWrite, walk: RecordWalk, context: JobContext): Promise<void> {
    for (let number = item.batches + 1; ; number += 1) {
      const first = await walk.next(BATCH_SIZE);
      if (first.length === 0) break;
      const counted = { rows: 0 };
      await this.add(item, walk, context, { number, counted, pieces: some(walk, first, counted, context) });
    }
    await this.runs.end(item.id, context, null);
  }

  private async add(
    item: ExportToWrite,
    walk: RecordWalk,
    context: JobContext,
    { number, counted, pieces }: Batch,
  ): Promise<void> {
    const file = await this.files.stage(item.id, pieces, context.signal);
    try {
      const batch = { ...file, number, objectsCount: counted.rows, lastId: walk.position };
      await this.runs.add(item.id, context, batch, !item.batched);
    } catch (error) {
      await this.files.discard(file);
      throw error;
    }
  }

  private async *all(item: ExportToWrite, walk: RecordWalk, counted: Counted, context: JobContext): Pieces {
    let touched = 0;
    for (let rows = await walk.next(BATCH_SIZE); rows.length > 0; rows = await walk.next(BATCH_SIZE)) {
      context.signal.throwIfAborted();
      yield linesOf(rows);
      counted.rows += rows.length;
      if (counted.rows - touched < TOUCH_EVERY) continue;
      touched = counted.rows;
      await this.runs.touch(item.id, context);
    }
  }
}

interface Counted {
  rows: number;
}

interface Batch {
  readonly number: number;
  readonly counted: Counted;
  readonly pieces: Pieces;
}

async function* some(
  walk: RecordWalk,
  first: readonly ExportedRow[],
  counted: Counted,
  { signal }: JobContext,
): Pieces {
  for (let rows = first; rows.length > 0;) {
    signal.throwIfAborted();
    yield linesOf(rows);
    counted.rows += rows.length;
    rows = counted.rows < BATCH_SIZE ? await walk.next(BATCH_SIZE - counted.rows) : [];
  }
}
