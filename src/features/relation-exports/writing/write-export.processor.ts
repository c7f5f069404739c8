import { Injectable } from '@nestjs/common';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { ExportedRelationsService, type ExportedRelation } from '../relations/exported-relations.service.js';
import { emptyArchive } from './archive-pieces.js';
import { ExportFilesService } from './export-files.service.js';
import { ExportPolicy } from './export.policy.js';
import { ExportGone, ExportRunService, type ExportToWrite } from './export-run.service.js';
import { RepositoryBundleService } from './repository-bundle.service.js';
import { WriteExportJob, type WriteExportPayload } from './write-export.job.js';
import { WriteRecords } from './write-records.use-case.js';

/** Writes the files of a relation. An export restarted in the meantime is left to its own job. */
@Injectable()
export class WriteExportProcessor extends JobProcessor<WriteExportPayload> {
  readonly job = WriteExportJob;

  constructor(
    private readonly runs: ExportRunService,
    private readonly rights: ExportPolicy,
    private readonly relations: ExportedRelationsService,
    private readonly records: WriteRecords,
    private readonly files: ExportFilesService,
    private readonly bundle: RepositoryBundleService,
  ) {
    super();
  }

  async process({ exportId, asAdmin = null }: WriteExportPayload, context: JobContext): Promise<void> {
    try {
      const item = await this.runs.claim(exportId, context);
      if (item) await this.write(item, asAdmin, context);
    } catch (error) {
      if (!(error instanceof ExportGone)) throw error;
    }
  }

  override async failed({ exportId }: WriteExportPayload, error: Error, context: JobContext): Promise<void> {
    const item = await this.runs.claim(exportId, context);
    if (!item) return;
    // The error may contain paths and statements: it is logged under this id.
    const text = `The relation could not be written: ${error.name} (${context.correlationId})`;
    await this.runs.fail(item.id, context, text);
  }

  private async write(item: ExportToWrite, asAdmin: boolean | null, context: JobContext): Promise<void> {
    const refusal = await this.rights.refusal(item, asAdmin);
    const relation = this.relations.findOrNull(item.of, item.relation);
    if (refusal !== null) await this.runs.end(item.id, context, refusal);
    else if (!relation) await this.runs.end(item.id, context, 'The relation no longer exists');
    else if (relation.records) await this.records.run(item, relation.records, context);
    else await this.archive(item, relation, context);
  }

  private async archive(
    item: ExportToWrite,
    { relation }: ExportedRelation,
    context: JobContext,
  ): Promise<void> {
    const { signal } = context;
    const isCode = relation === 'repository';
    const pieces = isCode ? this.bundle.pieces(item.ownerId, signal) : emptyArchive();
    const file = await this.files.stage(item.id, pieces, signal);
    try {
      const batch = { ...file, number: 1, objectsCount: isCode ? 1 : 0, lastId: 0 };
      await this.runs.add(item.id, context, batch, true);
    } catch (error) {
      await this.files.discard(file);
      throw error;
    }
  }
}
