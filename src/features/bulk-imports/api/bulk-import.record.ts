import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Attributes that imports and entities share (`api-v4.md` 2.6). */
export class MigrationRecord {
  @Id()
  id!: number;

  @OneOf(['created', 'started', 'finished', 'failed'])
  status!: string;

  @Text({ description: 'Kind of the source', example: 'gitlab' })
  source_type!: string;

  @Flag({ description: 'Failed because it was canceled by a user' })
  canceled!: boolean;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;
}

/** A migration. */
export class BulkImportRecord extends MigrationRecord {
  @Text()
  source_url!: string;

  @Flag()
  has_failures!: boolean;
}
