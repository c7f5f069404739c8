import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** What imports and entities have in common (`api-v4.md` 2.6). */
export class MigrationRecord {
  @Id()
  id!: number;

  @OneOf(['created', 'started', 'finished', 'failed'])
  status!: string;

  @Text({ description: 'Kind of the source', example: 'gitlab' })
  source_type!: string;

  @Flag({ description: 'Failed because somebody wanted it to stop' })
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
