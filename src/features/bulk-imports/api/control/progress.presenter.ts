import { Injectable } from '@nestjs/common';
import type { Watched } from '#kernel/http/streams/record-streams.js';
import { hasEnded, SOURCE_TYPES, type ImportStatus } from '../../bulk-import.js';
import {
  BulkImportProgressQueries,
  type EntityProgress,
} from '../../engine/control/bulk-import-progress.queries.js';
import type { BulkImportProgressRecord, EntityProgressRecord } from '../bulk-import-progress.record.js';
import { BulkImportsQueries, type Reader } from '../bulk-imports.queries.js';

/** How far migrations are, as those are shown who may see them. */
@Injectable()
export class ProgressPresenter {
  constructor(
    private readonly queries: BulkImportsQueries,
    private readonly progress: BulkImportProgressQueries,
  ) {}

  /** The progress of an import that somebody may see. @throws 404 */
  async find(id: number, reader: Reader): Promise<BulkImportProgressRecord> {
    const { status } = await this.queries.find(id, reader);
    return { id, status, entities: (await this.progress.ofImport(id)).map(presentEntityProgress) };
  }

  /** The same, for a stream of it. @throws 404 */
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
