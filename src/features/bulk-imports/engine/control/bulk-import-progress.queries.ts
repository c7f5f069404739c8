import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ImportStatus, RelationStatus, SourceType } from '../../bulk-import.js';

/** Progress of a relation of an entity. */
export interface RelationProgress {
  readonly relation: string;
  readonly status: RelationStatus;
  /** Number of records at the source; 0 while unknown. */
  readonly source: number;
  readonly fetched: number;
  readonly imported: number;
  readonly failed: number;
}

/** Progress of an entity. */
export interface EntityProgress {
  readonly id: number;
  readonly parentId: number | null;
  readonly sourceType: SourceType;
  readonly sourceFullPath: string;
  readonly status: ImportStatus;
  readonly canceled: boolean;
  readonly timedOut: boolean;
  readonly hasFailures: boolean;
  readonly relations: readonly RelationProgress[];
}

/** Limit of entities shown per import; trees of groups may be larger. */
const MAX_ENTITIES = 1_000;

const RELATIONS = `select entity_id as "entityId", relation, status, source_count as source, fetched_count as fetched,
    imported_count as imported, failed_count as failed
  from bulk_import_relations where entity_id = any($1::bigint[]) order by entity_id, stage, id`;

const PAGE = `select id, parent_id as "parentId", source_type as "sourceType", source_full_path as "sourceFullPath", status, canceled,
    timed_out as "timedOut", has_failures as "hasFailures"
  from bulk_import_entities where bulk_import_id = $1 and id > $2 order by id limit $3`;

/** Reads the progress of imports by relation. */
@Injectable()
export class BulkImportProgressQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns entities of an import by id, after `afterId`, with their relations by stage. */
  async ofImport(importId: number, afterId = 0, limit = MAX_ENTITIES): Promise<readonly EntityProgress[]> {
    const entities = await this.database.long<Omit<EntityProgress, 'relations'>>(PAGE, [
      importId,
      afterId,
      limit,
    ]);
    const relations = await this.ofEntities(entities.map(({ id }) => id));
    return entities.map((entity) => ({ ...entity, relations: relations.get(entity.id) ?? [] }));
  }

  /** Returns the relations of entities by entity; omits entities whose relations are not known yet. */
  async ofEntities(entityIds: readonly number[]): Promise<ReadonlyMap<number, readonly RelationProgress[]>> {
    const found = new Map<number, RelationProgress[]>();
    if (entityIds.length === 0) return found;
    const rows = await this.database.long<RelationProgress & { entityId: number }>(RELATIONS, [entityIds]);
    for (const { entityId, ...relation } of rows) {
      const list = found.get(entityId);
      if (list) list.push(relation);
      else found.set(entityId, [relation]);
    }
    return found;
  }
}
