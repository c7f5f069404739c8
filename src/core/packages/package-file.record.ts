import { isoTimeSql } from '#kernel/database/time.sql.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { Anything, Count, Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** A file of a package. */
export class PackageFileRecord {
  @Id()
  id!: number;

  @Id()
  package_id!: number;

  @IsoTime()
  created_at!: string;

  @Text()
  file_name!: string;

  @Count({ description: 'Bytes' })
  size!: number;

  @Text({ nullable: true, description: 'Not computed: always null' })
  file_md5!: string | null;

  @Text({ nullable: true, description: 'Not computed: always null' })
  file_sha1!: string | null;

  @Text()
  file_sha256!: string;

  @List(Anything(), { description: 'Deprecated and always empty: the package has them' })
  pipelines!: unknown[];
}

/** Row of a `PackageFileRecord`. */
export interface PackageFileRow {
  readonly id: number;
  readonly package_id: number;
  readonly file_name: string;
  readonly size: number;
  readonly sha256: string;
  readonly created_at: string;
}

/** Select list of a `PackageFileRow`, for the alias `f`. */
export const PACKAGE_FILE_COLUMNS = `f.id, f.package_id, f.file_name, f.size, f.sha256, ${isoTimeSql('f.created_at')} as created_at`;

/** Presents a file. */
export const presentPackageFile = (row: PackageFileRow): PackageFileRecord => ({
  id: row.id,
  package_id: row.package_id,
  created_at: row.created_at,
  file_name: row.file_name,
  size: row.size,
  file_md5: null,
  file_sha1: null,
  file_sha256: row.sha256,
  pipelines: [],
});
