import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Count, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Progress of a relation of an entity. */
export class RelationProgressRecord {
  @Text({ example: 'issues' })
  relation!: string;

  @OneOf(['created', 'enqueued', 'started', 'finished', 'failed', 'skipped', 'canceled'])
  status!: string;

  @Count({ description: 'Records that the source has, as far as it is known' })
  source!: number;

  @Count()
  fetched!: number;

  @Count()
  imported!: number;

  @Count()
  failed!: number;
}

/** Progress of an entity. */
export class EntityProgressRecord {
  @Id()
  id!: number;

  @OneOf(['group', 'project'])
  entity_type!: string;

  @Text()
  source_full_path!: string;

  @OneOf(['created', 'started', 'finished', 'failed'])
  status!: string;

  @ListOf(() => RelationProgressRecord)
  relations!: RelationProgressRecord[];
}

/** Progress of a migration. */
export class BulkImportProgressRecord {
  @Id()
  id!: number;

  @OneOf(['created', 'started', 'finished', 'failed'])
  status!: string;

  @ListOf(() => EntityProgressRecord, { description: 'The first thousand' })
  entities!: EntityProgressRecord[];
}
