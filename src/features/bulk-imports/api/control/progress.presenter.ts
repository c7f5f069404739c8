import { Injectable } from '@nestjs/common';
import type { Watched } from '#kernel/http/streams/record-streams.js';
import { hasEnded, SOURCE_TYPES, type ImportStatus } from '../../bulk-import.js';
import {
  BulkImportProgressQueries,
  type EntityProgress,
} from '../../engine/control/bulk-import-progress.queries.js';
import type { BulkImportProgressRecord, EntityProgressRecord } from '../bulk-import-progress.record.js';
import { BulkImportsQueries, type Reader } from '../bulk-imports.queries.js';

/** Presents the progress of migrations to their readers. */
@Injectable()
export class ProgressPresenter {
  constructor(
    private readonly queries: BulkImportsQueries,
    private readonly progress: BulkImportProgressQueries,
  ) {}

  /** Returns the progress of an import. @throws 404 */
  async find(id: number, reader: Reader): Promise<BulkImportProgressRecord> {
    const { status } = await this.queries.find(id, reader);
    return { id, status, entities: (await this.progress.ofImport(id)).map(presentEntityProgress) };
  }

  /** Returns it for a stream. @throws 404 */
  async watch(id: number, reader: Reader): Promise<Watched> {
    const record = await this.find(id, reader);
    return { record, end: hasEnded(record.status as ImportStatus) ? record.status : null };
  }
}

const presentEntityProgress = (entity: EntityProgress): EntityProgressRecord => ({
  id: entity.id,
  entity_type: entity.sourceType === SOURCE_TYPES.group ? 'group' : 'project',
  source_full_path: entity.sourceFullPath,
  status: entity.status,
  relations: entity.relations.map(({ relation, status, source, fetched, imported, failed }) => ({
    ...{ relation, status, source, fetched, imported, failed },
  })),
});
