import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Values } from '#kernel/http/fields/derived-fields.js';
import type { MigrationRecord, BulkImportRecord } from './bulk-import.record.js';
import type { BulkImportEntityRecord, BulkImportFailureRecord } from './bulk-import-entity.record.js';

/** Type of all sources in v4. */
const SOURCE_TYPE = 'gitlab';

const timesOf = (alias: string): string =>
  `${isoTimeSql(`${alias}.created_at`)} as created_at, ${isoTimeSql(`${alias}.updated_at`)} as updated_at`;

/** Select list of an `ImportRow`, for an import `i`. */
export const IMPORT_COLUMNS = `i.id, i.status, i.canceled, i.source_url, i.has_failures, ${timesOf('i')}`;

/** Row of an import. */
export type ImportRow = Omit<BulkImportRecord, 'source_type'>;

/** Select list of a `ShortEntityRow`, for an entity `e`. */
export const SHORT_ENTITY_COLUMNS = `e.id, e.status, e.canceled, ${timesOf('e')}`;

/** Row of the short form of an entity. */
export type ShortEntityRow = Omit<MigrationRecord, 'source_type'>;

/** Select list of a `FailureRow`, for a failure `f`. */
export const FAILURE_COLUMNS = `f.id, f.relation, f.step, f.exception_message, f.exception_class, f.correlation_id_value, f.pipeline_class,
  f.step as pipeline_step, f.source_url, f.source_title, ${isoTimeSql('f.created_at')} as created_at`;

/** Row of a failure. */
export type FailureRow = Values<BulkImportFailureRecord> & { readonly id: number };

/** SQL for the destination path of an entity `e`. */
export const DESTINATION_PATH = `concat_ws('/', nullif(e.destination_namespace, ''), e.destination_slug)`;

/** SQL for the type of an entity `e`. */
export const ENTITY_TYPE = `case e.source_type when 'group_entity' then 'group' else 'project' end`;

/** Select list of an `EntityRow`. */
export const ENTITY_COLUMNS = `${SHORT_ENTITY_COLUMNS}, e.bulk_import_id, ${ENTITY_TYPE} as entity_type, e.source_full_path,
  ${DESTINATION_PATH} as destination_full_path, e.destination_slug, e.destination_namespace, e.parent_id, e.namespace_id, e.project_id,
  e.migrate_projects, e.migrate_memberships, e.has_failures, case when e.has_failures then (select json_agg(json_build_object('relation', f.relation,
    'step', f.step, 'exception_message', f.exception_message, 'exception_class', f.exception_class, 'correlation_id_value', f.correlation_id_value,
    'pipeline_class', f.pipeline_class, 'pipeline_step', f.step, 'source_url', f.source_url, 'source_title', f.source_title,
    'created_at', ${isoTimeSql('f.created_at')}) order by f.id)
    from (select * from bulk_import_failures where entity_id = any(array[e.id]) order by entity_id, id limit 100) f) end as failures`;

/** Row of the full form of an entity. */
export type EntityRow = Omit<BulkImportEntityRecord, 'source_type' | 'destination_name' | 'failures'> & {
  readonly failures: BulkImportFailureRecord[] | null;
};

/** Presents an import. */
export const presentImport = (row: ImportRow): BulkImportRecord => ({ ...row, source_type: SOURCE_TYPE });

/** Presents the short form of an entity. */
export const presentShortEntity = (row: ShortEntityRow): MigrationRecord => ({
  ...row,
  source_type: SOURCE_TYPE,
});

/** Presents the full form of an entity. */
export const presentEntity = (row: EntityRow): BulkImportEntityRecord => ({
  ...row,
  source_type: SOURCE_TYPE,
  destination_name: row.destination_slug,
  failures: row.failures ?? [],
});

/** Presents a failure. */
export const presentFailure = ({ id: _id, ...row }: FailureRow): BulkImportFailureRecord => row;
