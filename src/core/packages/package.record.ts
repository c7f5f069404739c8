import { isoTimeSql } from '#kernel/database/time.sql.js';
import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Anything, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';

/** Statuses of packages: hidden ones are listed only on request. */
export const PACKAGE_STATUSES = ['default', 'hidden'] as const;

/** Status of a package. */
export type PackageStatus = (typeof PACKAGE_STATUSES)[number];

/** URLs of a package. */
export class PackageLinksRecord {
  @Text()
  web_path!: string;

  @Text()
  delete_api_path!: string;
}

/** A version of a package. */
export class PackageRecord {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Text({ example: '1.2.0' })
  version!: string;

  @Text({ example: 'generic' })
  package_type!: string;

  @OneOf(PACKAGE_STATUSES)
  status!: PackageStatus;

  @Nested(() => PackageLinksRecord)
  _links!: PackageLinksRecord;

  @IsoTime()
  created_at!: string;

  @List(Anything(), { description: 'Of packages of other types' })
  tags!: unknown[];

  @List(Anything(), { description: 'Deprecated and always empty: they have a list of their own' })
  pipelines!: unknown[];
}

/** Another version of a package. */
export class PackageVersionRecord {
  @Id()
  id!: number;

  @Text()
  version!: string;

  @IsoTime()
  created_at!: string;

  @List(Anything(), { description: 'Always empty' })
  tags!: unknown[];

  @List(Anything(), { description: 'Always empty' })
  pipelines!: unknown[];
}

/** A package with its other versions, newest first: at most a hundred. */
export class PackageDetailRecord extends PackageRecord {
  @ListOf(() => PackageVersionRecord)
  versions!: PackageVersionRecord[];
}

/** Row of a `PackageRecord`. */
export interface PackageRow {
  readonly id: number;
  readonly project_id: number;
  readonly name: string;
  readonly version: string;
  readonly package_type: string;
  readonly status: PackageStatus;
  readonly created_at: string;
}

/** Select list of a `PackageRow`, for the alias `p`. */
export const PACKAGE_COLUMNS = `p.id, p.project_id, p.name, p.version, p.package_type, p.status,
  ${isoTimeSql('p.created_at')} as created_at`;

/** Presents a package of the project with this path. */
export const presentPackage = (row: PackageRow, fullPath: string, links: Links): PackageRecord => ({
  id: row.id,
  name: row.name,
  version: row.version,
  package_type: row.package_type,
  status: row.status,
  _links: {
    web_path: new URL(`${links.project(fullPath)}/-/packages/${row.id}`).pathname,
    delete_api_path: links.api(`/projects/${row.project_id}/packages/${row.id}`),
  },
  created_at: row.created_at,
  tags: [],
  pipelines: [],
});

/** Presents another version. */
export const presentVersion = (
  row: Pick<PackageRow, 'id' | 'version' | 'created_at'>,
): PackageVersionRecord => ({
  id: row.id,
  version: row.version,
  created_at: row.created_at,
  tags: [],
  pipelines: [],
});
