import { Injectable } from '@nestjs/common';
import { Gate } from '#kernel/crypto/gate.js';
import type { RelationPipeline } from '#core/exchange/relation-pipeline.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import type { ExportStatus } from '../../source/source-api.js';
import { SourceBusy, SourceRefused } from '../../source/source-errors.js';
import { ImportLimits } from '../import-limits.js';
import type { RelationRun } from '../runs/relation-run.js';
import { ExportStatusQueries } from './export-status.queries.js';
import { ImportFolderService } from './files/import-folder.service.js';
import { LoadBatchStep, type Takers } from './load-batch.step.js';
import { noteProgress } from './note-progress.js';
import { PrepareBatchStep } from './prepare-batch.step.js';
import type { PreparedBatch } from './prepared-batch.js';
import { readAhead } from './files/read-ahead.js';
import { RecordFilesService, type FilePart } from './files/record-files.service.js';
import { WaitingTime } from './turn.js';

type LinesPart = Extract<FilePart, { kind: 'lines' }>;

/** Statuses of the source for files of an export that it has replaced. */
const GONE: ReadonlySet<number | null> = new Set([400, 404]);

/** Delay before the files of another export are read. */
const AGAIN_MS = 1_000;

/** The next write: a batch of records, already prepared unless it is large, or the state of a file. */
type Task =
  | { readonly part: Exclude<FilePart, LinesPart> }
  | { readonly part: LinesPart; readonly prepare: () => Promise<PreparedBatch> };

/**
 * Imports a relation of records by its pipeline, batch by batch; reads the next batch while the previous one
 * is written.
 */
@Injectable()
export class RecordsStep {
  /** Large batches take many times their size, so only one is processed at a time. */
  private readonly largeOnes = new Gate(1, Number.MAX_SAFE_INTEGER);

  constructor(
    private readonly exports: ExportStatusQueries,
    private readonly folder: ImportFolderService,
    private readonly files: RecordFilesService,
    private readonly preparing: PrepareBatchStep,
    private readonly loading: LoadBatchStep,
    private readonly exchanges: ExchangesRegistry,
    private readonly limits: ImportLimits,
  ) {}

  /**
   * Imports the relation. @throws NotReady, NothingThere, TurnOver, RelationFailed, SourceBusy,
   * SourceRefused, and errors of the database, of disks and of corrupt files
   */
  async run(run: RelationRun, pipeline: RelationPipeline): Promise<void> {
    const status = await this.exports.ready(run, pipeline);
    const takers = { pipeline, parts: this.exchanges.partsOf(pipeline.of, pipeline.relation) };
    try {
      await this.folder.use(run, async (folder) => {
        for await (const task of readAhead(this.tasks(run, takers, status, folder)))
          await this.store(run, takers, task);
      });
    } catch (error) {
      if (error instanceof SourceRefused && GONE.has(error.status))
        await this.assertSame(run, pipeline, status);
      throw error;
    }
    if (status.batchesCount > 1) await this.assertSame(run, pipeline, status);
  }

  /**
   * Asserts that the source has not exported again while its files were read, for example for another
   * migration: they would be parts of two exports. @throws SourceBusy, NotReady: the next run starts over
   */
  private async assertSame(
    run: RelationRun,
    pipeline: RelationPipeline,
    { edition }: ExportStatus,
  ): Promise<void> {
    const now = await this.exports.ready(run, pipeline);
    if (now.edition !== edition)
      throw new SourceBusy('The source instance has exported again', 'exported again', AGAIN_MS);
  }

  private async *tasks(
    run: RelationRun,
    takers: Takers,
    status: ExportStatus,
    folder: string,
  ): AsyncGenerator<Task> {
    const waiting = new WaitingTime(this.limits, run.claimed.turns);
    for await (const part of this.files.read(run, status, folder)) {
      if (part.kind !== 'lines') {
        yield { part };
        continue;
      }
      const prepare = (): Promise<PreparedBatch> => this.preparing.run(run, takers, part.lines, waiting);
      const batch = this.isLarge(part) ? undefined : await prepare();
      yield { part, prepare: batch ? () => Promise.resolve(batch) : prepare };
    }
  }

  private async store(run: RelationRun, takers: Takers, task: Task): Promise<void> {
    if (!('prepare' in task)) {
      await this.note(run, task.part);
      return;
    }
    const load = (): Promise<void> => this.load(run, takers, task.part, task.prepare);
    await (this.isLarge(task.part) ? this.largeOnes.run(load) : load());
  }

  /** A batch that the source failed to export does not block the others. */
  private async note(run: RelationRun, part: Exclude<FilePart, LinesPart>): Promise<void> {
    await run.commit(async (tx) => {
      await noteProgress(tx, run.relationId, part);
      if (part.kind !== 'end' || part.problem === null) return;
      const message = `Export of batch ${part.batch} from source instance failed: ${part.problem}`;
      await run.report(tx, 'extractor', new SourceRefused(message), null);
    });
  }

  private isLarge({ lines }: LinesPart): boolean {
    return lines.bytes > this.limits.largeBytes;
  }

  private async load(
    run: RelationRun,
    takers: Takers,
    part: LinesPart,
    prepare: () => Promise<PreparedBatch>,
  ): Promise<void> {
    const batch = await prepare();
    await run.commit(async (tx) => {
      const written = await this.loading.run(tx, run, takers, batch);
      await noteProgress(tx, run.relationId, part, { fetched: batch.fetched, ...written });
    });
  }
}
