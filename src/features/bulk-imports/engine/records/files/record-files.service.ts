import { Injectable } from '@nestjs/common';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportStatus } from '../../../source/source-api.js';
import { LATE, SourceBusy } from '../../../source/source-errors.js';
import { ImportLimits } from '../../import-limits.js';
import type { RelationRun } from '../../runs/relation-run.js';
import { fileDigest } from './file-digest.js';
import { lineBatches, type LineBatch } from '../lines/line-batches.js';
import { PartialFilesService, sizeOf } from './partial-files.service.js';
import { readingCursor } from '../lines/reading-cursor.js';
import { TurnOver } from '../turn.js';
import { unpacked } from './unpacked.js';
import { wholeFile } from './whole-file.js';

/** The file of a part. */
interface OfFile {
  readonly batched: boolean;
  readonly batch: number;
  readonly digest: string;
  /** As in `ExportStatus`. */
  readonly edition: string | null;
}

/** Parts of the files of a relation, in order. */
export type FilePart =
  /** The position of the previous run is invalid, because the source has exported again. */
  | { readonly kind: 'restart'; readonly isWhole: boolean; readonly lines: number }
  | (OfFile & { readonly kind: 'lines'; readonly lines: LineBatch; readonly endsFile: boolean })
  /** A file that was read completely, or that the source failed to export. */
  | (OfFile & { readonly kind: 'end'; readonly problem: string | null });

/** The only relation that is an object instead of a list. */
const SINGLE = 'self';

/**
 * Downloads the files of a relation one after the other, and reads them from where the previous run stopped.
 */
@Injectable()
export class RecordFilesService {
  constructor(
    private readonly limits: ImportLimits,
    private readonly partial: PartialFilesService,
  ) {}

  async *read(
    run: RelationRun,
    { batched, batchesCount, failedBatches, edition }: ExportStatus,
    folder: string,
  ): AsyncGenerator<FilePart> {
    const start = readingCursor(run.claimed, { batched, edition });
    if (start.isVoid) yield { kind: 'restart', isWhole: true, lines: 0 };
    const last = batched ? batchesCount : 1;
    for (let batch = start.batches + 1; batch <= last; batch += 1) {
      const problem = failedBatches.get(batch);
      if (problem !== undefined) {
        yield { batched, batch, digest: '', edition, kind: 'end', problem };
        continue;
      }
      const isLater = batch > start.batches + 1;
      run.turn.assertTime(isLater);
      const file = join(folder, String(batch));
      await this.fetch(run, batched ? batch : null, file, isLater);
      const digest = await fileDigest(file);
      let done = isLater ? 0 : start.lines;
      if (done > 0 && start.digest !== digest) {
        yield { kind: 'restart', isWhole: false, lines: done };
        done = 0;
      }
      yield* inFile({ batched, batch, digest, edition }, this.linesOf(run, file, done));
      await rm(file, { force: true });
    }
  }

  /** Continues the partial file of a previous run, and keeps that of this one. @throws TurnOver */
  private async fetch(
    { source, entity, claimed, relationId, turn }: RelationRun,
    batch: number | null,
    file: string,
    isLater: boolean,
  ): Promise<void> {
    await this.partial.take(relationId, batch ?? 0, file);
    const before = await sizeOf(file);
    try {
      const { relation } = claimed;
      await source.download(entity.of, entity.sourceId as number, relation, batch, file, turn.leftMs);
    } catch (error) {
      const bytes = await this.partial.keep(relationId, batch ?? 0, file);
      if (!(error instanceof SourceBusy) || error.kind !== LATE) throw error;
      throw new TurnOver(isLater || bytes > before, turn.isLongest);
    }
  }

  private linesOf(run: RelationRun, file: string, done: number): AsyncGenerator<LineBatch> {
    const bytes = unpacked(file, this.limits, run.signal);
    const read = run.claimed.relation === SINGLE ? wholeFile : lineBatches;
    return read(bytes, this.limits, done);
  }
}

/** Marks the last batch of a file, so that no separate write is needed for its end. */
async function* inFile(file: OfFile, batches: AsyncIterable<LineBatch>): AsyncGenerator<FilePart> {
  let last: LineBatch | undefined;
  for await (const lines of batches) {
    if (last) yield { ...file, kind: 'lines', lines: last, endsFile: false };
    last = lines;
  }
  yield last
    ? { ...file, kind: 'lines', lines: last, endsFile: true }
    : { ...file, kind: 'end', problem: null };
}
