import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { DESTINATION_NAME } from './bulk-import-deprecations.js';
import { MigrationRecord } from './bulk-import.record.js';

/** Something that could not be imported (`api-v4.md` 2.7; with the attributes of old and new v4 servers). */
export class BulkImportFailureRecord {
  @Text({ example: 'labels' })
  relation!: string;

  @Text({ example: 'loader' })
  step!: string;

  @Text()
  exception_message!: string;

  @Text()
  exception_class!: string;

  @Text()
  correlation_id_value!: string;

  @Text({ example: 'LabelsPipeline' })
  pipeline_class!: string;

  @Text()
  pipeline_step!: string;

  @Text({ nullable: true })
  source_url!: string | null;

  @Text({ nullable: true })
  source_title!: string | null;

  @IsoTime()
  created_at!: string;
}

/** An entity with all attributes (`api-v4.md` 2.7). */
export class BulkImportEntityRecord extends MigrationRecord {
  @Id()
  bulk_import_id!: number;

  @OneOf(['group', 'project'])
  entity_type!: string;

  @Text()
  source_full_path!: string;

  @Text({ description: 'Path of what is created' })
  destination_full_path!: string;

  @Text({ deprecated: DESTINATION_NAME, description: 'See destination_slug' })
  destination_name!: string;

  @Text()
  destination_slug!: string;

  @Text()
  destination_namespace!: string;

  @Id({ nullable: true })
  parent_id!: number | null;

  @Id({ nullable: true })
  namespace_id!: number | null;

  @Id({ nullable: true })
  project_id!: number | null;

  @Flag()
  migrate_projects!: boolean;

  @Flag()
  migrate_memberships!: boolean;

  @Flag()
  has_failures!: boolean;

  @ListOf(() => BulkImportFailureRecord, { description: 'The first hundred; see the entity for all' })
  failures!: BulkImportFailureRecord[];
}
