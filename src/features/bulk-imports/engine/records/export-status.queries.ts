import { Injectable } from '@nestjs/common';
import type { RelationPipeline } from '#core/exchange/relation-pipeline.js';
import type { ExportStatus } from '../../source/source-api.js';
import { ImportLimits } from '../import-limits.js';
import type { RelationRun } from '../runs/relation-run.js';
import { NotReady, NothingThere, RelationFailed } from '../runs/run-ended.js';

const WAIT = `update bulk_import_relations set waiting_since = coalesce(waiting_since, now()), updated_at = now()
  where id = $1 returning extract(epoch from clock_timestamp() - waiting_since)::float8 * 1000 as "waitedMs",
    extract(epoch from clock_timestamp() - created_at)::float8 * 1000 as "askedMs"`;

const READY = `update bulk_import_relations set waiting_since = null, source_count = coalesce($2, source_count), updated_at = now() where id = $1`;

/** Finds out whether the source has exported a relation, and to how many files. */
@Injectable()
export class ExportStatusQueries {
  constructor(private readonly limits: ImportLimits) {}

  /**
   * Returns the status of a finished export. @throws NotReady @throws NothingThere @throws RelationFailed if
   * it will never be finished
   */
  async ready(run: RelationRun, pipeline: RelationPipeline): Promise<ExportStatus> {
    const { of, sourceId } = run.entity;
    if (sourceId === null) throw new RelationFailed('The id on the source is unknown');
    const status = await run.source.exportStatus(of, sourceId, pipeline.relation);
    if (status?.status === 'failed')
      throw new RelationFailed(`Export from source instance failed: ${status.error ?? 'no reason is given'}`);
    if (status?.status !== 'finished') throw await this.notYet(run, status, pipeline);
    if (status.batched && status.batchesCount > this.limits.files)
      throw new RelationFailed(`The source has split the relation into ${status.batchesCount} files`);
    await run.commit((tx) => tx.query(READY, [run.relationId, status.objectsCount]));
    return status;
  }

  private async notYet(
    run: RelationRun,
    status: ExportStatus | null,
    { isExtension, relation }: RelationPipeline,
  ): Promise<Error> {
    const { waitedMs, askedMs } = await run.commit(async (tx) => {
      const [rows] = await tx.query<[[{ waitedMs: number; askedMs: number }], number]>(WAIT, [
        run.relationId,
      ]);
      return rows[0];
    });
    const { emptyExtensionMs, emptyStatusMs, exportMs, firstExportPauseMs, lastExportPauseMs } = this.limits;
    const { of, sourceId } = run.entity;
    if (
      !status &&
      isExtension &&
      (askedMs > emptyExtensionMs || (await run.source.neverExports(of, sourceId as number, relation)))
    )
      return new NothingThere();
    if (!status && waitedMs > emptyStatusMs)
      return new RelationFailed('Empty export status on source instance');
    if (waitedMs > exportMs) return new RelationFailed('Pipeline timeout');
    return new NotReady(Math.min(lastExportPauseMs, Math.max(firstExportPauseMs, waitedMs / 2)));
  }
}
