import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { SOURCE_TYPES, type ImportStatus, type SourceType } from '../bulk-import.js';
import { DESTINATION_NAME } from './bulk-import-deprecations.js';
import { RelativePath, Slug } from './destination.field.js';

const STATUSES = ['created', 'started', 'finished', 'failed'] as const satisfies readonly ImportStatus[];

/** The source instance. */
export class SourceConfiguration {
  @Text({ maxLength: 2_048, example: 'https://source.example.com' })
  url!: string;

  @Text({ maxLength: 1_024, description: 'Personal access token of the source with scope `api`' })
  access_token!: string;
}

/** A group or project to migrate. */
export class EntityToMigrate {
  @OneOf(Object.values(SOURCE_TYPES))
  source_type!: SourceType;

  @RelativePath('source/full/path')
  source_full_path!: string;

  @Slug({
    optional: true,
    description: 'Path of the new group or project; needed unless destination_name is given',
  })
  destination_slug?: string;

  @Slug({ optional: true, deprecated: DESTINATION_NAME, description: 'Use destination_slug' })
  destination_name?: string;

  @RelativePath('destination/full/path', { blank: true, description: 'Group; blank for a group at the top' })
  destination_namespace!: string;

  @Flag({ optional: true, description: 'Whether projects of the group come along; default true' })
  migrate_projects?: boolean;

  @Flag({ optional: true, description: 'Whether direct members come along; default true' })
  migrate_memberships?: boolean;
}

/** Parameters of a new migration. */
export class CreateBulkImportParams {
  @Nested(() => SourceConfiguration)
  configuration!: SourceConfiguration;

  @ListOf(() => EntityToMigrate, { maxItems: 100 })
  entities!: EntityToMigrate[];

  @Flag({ optional: true, description: 'Only reports what would be created' })
  dry_run?: boolean;
}

/** Filter and order of lists. */
export class ListBulkImportsParams {
  @OneOf(['asc', 'desc'], { optional: true, description: 'By time of creation; default desc' })
  sort?: 'asc' | 'desc';

  @OneOf(STATUSES, { optional: true })
  status?: ImportStatus;
}

/** Path parameters of a migration. */
export class FindBulkImportParams {
  @Id()
  id!: number;
}

/** Parameters of the list of a migration's entities. */
export class ListEntitiesParams extends ListBulkImportsParams {
  @Id()
  id!: number;
}

/** Path parameters of an entity. */
export class FindEntityParams extends FindBulkImportParams {
  @Id()
  entity_id!: number;
}
